import { brand } from "#app/content/brand.server.ts";
import { attributes, darkStyles, type LookName } from "./looks.ts";

// All mails have one layout. A mail is a list of blocks, so that its HTML and its text say the same.

/** A part of a sentence. An address keeps its direction inside Arabic text. */
export type Part = string | { address: string };

export interface Link {
  text: string;
  href: string;
}

export type Block =
  | { kind: "paragraph" | "note"; parts: Part[] }
  | { kind: "button"; link: Link }
  /** A code to type, or a link to copy, each after a line that introduces it. */
  | { kind: "code"; label: string; code: string }
  | { kind: "url"; label: string; href: string }
  /** What a visitor wrote. */
  | { kind: "message"; sender: string; time: string; links: Link[]; body: string };

export interface Content {
  subject: string;
  heading: string;
  blocks: Block[];
}

/** Returns a mail as nodemailer takes it. Everything in it is escaped, also what visitors wrote. */
export function composeMail(content: Content) {
  const text = [brand.name, content.heading, ...content.blocks.map(textOf)].join("\n\n");
  return { subject: content.subject, text: `${text}\n`, html: page(content) };
}

function textOf(block: Block): string {
  switch (block.kind) {
    case "paragraph":
    case "note":
      return block.parts.map((part) => (typeof part === "string" ? part : part.address)).join("");
    case "button":
      return `${block.link.text}: ${block.link.href}`;
    case "code":
      return `${block.label}\n\n${block.code}`;
    case "url":
      return `${block.label}\n\n${block.href}`;
    case "message":
      return [`${block.sender} · ${block.time}`, ...block.links.map(({ text }) => text), block.body]
        .filter((line) => line !== "")
        .join("\n");
  }
}

function page({ subject, heading, blocks }: Content): string {
  const { name, light, dark } = brand;
  const table = `role="presentation" dir="rtl" width="100%" cellpadding="0" cellspacing="0"`;
  return `<!doctype html>
<html lang="ar" dir="rtl">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>${escapeHtml(subject)}</title>
    <style>
      @media (prefers-color-scheme: dark) {
        ${darkStyles(dark)}
      }
    </style>
  </head>
  <body style="margin: 0">
    <table ${table}>
      <tr>
        <td align="center" ${attributes("ground", light)}>
          <table ${table} ${attributes("card", light)}>
            <tr>
              <td ${attributes("content", light)}>
                <p ${attributes("name", light)}>${escapeHtml(name)}</p>
                <h1 ${attributes("heading", light)}>${escapeHtml(heading)}</h1>
                ${blocks.flatMap((block) => elementsOf(block)).join("\n                ")}
              </td>
            </tr>
          </table>
        </td>
      </tr>
    </table>
  </body>
</html>
`;
}

function elementsOf(block: Block): string[] {
  const colours = brand.light;
  const element = (look: LookName, html: string, direction?: "ltr" | "auto") =>
    `<p ${direction ? `dir="${direction}" ` : ""}${attributes(look, colours)}>${html}</p>`;
  const anchor = (look: LookName, href: string, html: string) =>
    `<a href="${escapeHtml(href)}" ${attributes(look, colours)}>${html}</a>`;
  switch (block.kind) {
    case "paragraph":
    case "note":
      return [element(block.kind, block.parts.map(partOf).join(""))];
    case "button":
      return [anchor("button", block.link.href, escapeHtml(block.link.text))];
    case "code":
      return [
        element("line", escapeHtml(block.label)),
        element("code", escapeHtml(block.code), "ltr"),
      ];
    case "url":
      return [
        element("label", escapeHtml(block.label)),
        element("url", anchor("link", block.href, escapeHtml(block.href)), "ltr"),
      ];
    case "message":
      return [
        element("sender", `<bdi>${escapeHtml(block.sender)}</bdi> · ${escapeHtml(block.time)}`),
        ...block.links.map(({ href, text }) => element("line", anchor("link", href, ltr(text)))),
        ...block.body
          .split(/\n+/)
          .filter((line) => line.trim() !== "")
          .map((line) => element("quote", escapeHtml(line), "auto")),
        "<br />",
      ];
  }
}

const partOf = (part: Part) => (typeof part === "string" ? escapeHtml(part) : ltr(part.address));

const ltr = (text: string) => `<bdi dir="ltr">${escapeHtml(text)}</bdi>`;

const entities: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (char) => entities[char] ?? char);
}
