import type { brand } from "#app/content/brand.server.ts";

type Colours = (typeof brand)["light"];
type Token = keyof Colours;

interface Style {
  shape: string;
  color?: Token;
  "background-color"?: Token;
  "border-color"?: Token;
}

const button =
  "display: inline-block; margin: 0 0 8px 8px; padding: 11px 24px; border: 1px solid; border-radius: 10px; font-weight: bold; text-decoration: none; white-space: nowrap";

const square = "width: 14px; height: 14px";

/** Mail programs know left and right, but not start and end. */
const quote = (side: "left" | "right"): Style => ({
  shape: `margin: 0 0 16px; padding: 12px 16px; border-${side}: 3px solid; text-align: ${side}`,
  "background-color": "sunk",
  "border-color": "saffron",
});

const styles = {
  ground: { shape: "padding: 24px 8px", "background-color": "ground" },
  card: {
    shape: "max-width: 536px; border: 1px solid; border-radius: 16px; border-collapse: separate",
    "background-color": "surface",
    "border-color": "line",
  },
  band: {
    shape:
      "padding: 14px 24px; border-radius: 15px 15px 0 0; font: bold 18px/28px Tahoma, 'Segoe UI', Arial, sans-serif; text-align: right",
    color: "on-cover",
    "background-color": "cover",
  },
  // A square with another one over it, which gives it eight points. Some fonts have no letter of this shape.
  star: {
    shape: `display: inline-block; ${square}; margin-left: 12px; vertical-align: -1px`,
    "background-color": "saffron",
  },
  // It is a block, so that no line of text moves it.
  "star-points": {
    shape: `display: block; ${square}; transform: rotate(45deg)`,
    "background-color": "saffron",
  },
  // An address without a blank must not widen the table.
  content: {
    shape:
      "padding: 28px 24px; font: 16px/1.8 Tahoma, 'Segoe UI', Arial, sans-serif; text-align: right; word-break: break-word",
    color: "ink",
  },
  heading: { shape: "margin: 0 0 12px; font-size: 24px; line-height: 1.5", color: "ink" },
  paragraph: { shape: "margin: 0 0 16px" },
  small: { shape: "margin: 0 0 8px; font-size: 14px", color: "muted" },
  due: { shape: "margin: 0 0 12px; font-size: 15px; font-weight: bold", color: "saffron-text" },
  buttons: { shape: "margin: 0 0 8px" },
  fill: { shape: button, color: "on-brand", "background-color": "brand", "border-color": "brand" },
  outline: { shape: button, color: "brand", "border-color": "line" },
  links: { shape: "margin: 0 0 8px; font-size: 15px" },
  link: { shape: "text-decoration: underline", color: "brand" },
  rule: { shape: "margin: 20px 0; border: 0; border-top: 1px solid", "border-color": "line" },
  label: { shape: "margin: 0 0 4px; font-size: 14px", color: "muted" },
  code: {
    shape:
      "margin: 0 0 20px; padding: 12px; border-radius: 10px; font: bold 30px 'Courier New', Courier, monospace; letter-spacing: 8px; text-align: center",
    color: "ink",
    "background-color": "tint",
  },
  url: {
    shape: "margin: 0; font-size: 13px; line-height: 1.6; text-align: left; word-break: break-all",
  },
  sender: { shape: "margin: 0; font-size: 18px; font-weight: bold; line-height: 1.6" },
  "quote-right": quote("right"),
  "quote-left": quote("left"),
} satisfies Record<string, Style>;

export type StyleName = keyof typeof styles;

/** Returns the class of an element and its style in the light theme: mail programs need it there. */
export function attributes(name: StyleName, colours: Colours): string {
  return `class="${name}" style="${[styles[name].shape, ...colouring(styles[name], colours)].join("; ")}"`;
}

/** Returns the rules for mail programs with a dark theme. */
export function darkStyles(colours: Colours): string {
  return Object.entries(styles)
    .map(([name, style]) => ({ name, colouring: colouring(style, colours) }))
    .filter((rule) => rule.colouring.length > 0)
    .map((rule) => `.${rule.name} { ${rule.colouring.join(" !important; ")} !important }`)
    .join("\n        ");
}

function colouring({ shape: _shape, ...tokens }: Style, colours: Colours): string[] {
  return Object.entries(tokens).map(([property, token]) => `${property}: ${colours[token]}`);
}
