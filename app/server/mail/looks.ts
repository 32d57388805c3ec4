import type { brand } from "#app/content/brand.server.ts";

type Colours = (typeof brand)["light"];
type Token = keyof Colours;

interface Look {
  shape: string;
  color?: Token;
  "background-color"?: Token;
  "border-color"?: Token;
}

const looks = {
  ground: { shape: "margin: 0; padding: 32px 16px", "background-color": "ground" },
  card: {
    shape: "max-width: 520px; border: 1px solid; border-radius: 16px",
    "background-color": "surface",
    "border-color": "line",
  },
  content: {
    shape: "padding: 32px; font: 16px/1.8 Tahoma, 'Segoe UI', Arial, sans-serif; text-align: right",
    color: "ink",
  },
  name: { shape: "margin: 0 0 24px; font-size: 18px; font-weight: bold", color: "brand" },
  heading: { shape: "margin: 0 0 12px; font-size: 24px; line-height: 1.5", color: "ink" },
  paragraph: { shape: "margin: 0 0 20px" },
  line: { shape: "margin: 0" },
  button: {
    shape:
      "display: inline-block; margin: 8px 0 28px; padding: 14px 32px; border-radius: 10px; font-weight: bold; text-decoration: none",
    color: "on-brand",
    "background-color": "brand",
  },
  code: {
    shape:
      "margin: 8px 0 24px; padding: 14px; border-radius: 10px; font: bold 30px 'Courier New', Courier, monospace; letter-spacing: 8px; text-align: center",
    color: "ink",
    "background-color": "tint",
  },
  label: { shape: "margin: 0 0 4px; font-size: 14px", color: "muted" },
  url: {
    shape: "margin: 0; font-size: 13px; line-height: 1.6; text-align: left; word-break: break-all",
  },
  link: { shape: "text-decoration: underline", color: "brand" },
  sender: { shape: "margin: 8px 0 0; font-weight: bold" },
  quote: { shape: "margin: 8px 0 0; text-align: start" },
  note: {
    shape: "margin: 28px 0 0; padding-top: 20px; border-top: 1px solid; font-size: 14px",
    color: "muted",
    "border-color": "line",
  },
} satisfies Record<string, Look>;

export type LookName = keyof typeof looks;

/** Returns the class of an element and its style in the light theme: mail programs need it there. */
export function attributes(name: LookName, colours: Colours): string {
  return `class="${name}" style="${[looks[name].shape, ...colouring(looks[name], colours)].join("; ")}"`;
}

/** Returns the rules for mail programs with a dark theme. */
export function darkStyles(colours: Colours): string {
  return Object.entries(looks)
    .map(([name, look]) => ({ name, colouring: colouring(look, colours) }))
    .filter((rule) => rule.colouring.length > 0)
    .map((rule) => `.${rule.name} { ${rule.colouring.join(" !important; ")} !important }`)
    .join("\n        ");
}

function colouring({ shape: _shape, ...tokens }: Look, colours: Colours): string[] {
  return Object.entries(tokens).map(([property, token]) => `${property}: ${colours[token]}`);
}
