import { brand } from "#app/content/brand.server.ts";
import { directionOf } from "#app/lib/preview.ts";
import { readableAddress } from "#app/lib/readable-address.server.ts";
import { attributes, darkStyles, type StyleName } from "./styles.ts";

// All mails have one layout. A mail is a list of blocks, so that its HTML and its text say the same.

/** A part of a sentence. An address keeps its direction inside Arabic text. */
export type Part = string | { address: string };

export interface Link {
  text: string;
  href: string;
  /** Replaces an address in the plain text that is too long to read. */
  plain?: string;
}

export type Block =
  | { kind: "paragraph" | "small" | "due"; parts: Part[] }
  /** The first is filled, the others are outlined. */
  | { kind: "buttons" | "links"; links: Link[] }
  | { kind: "rule" }
  /** A code to type, or a link to copy, each after a line that introduces it. */
  | { kind: "code"; label: string; code: string }
  | { kind: "url"; label: string; href: string }
  /** What a visitor wrote; an empty body is not quoted. */
  | { kind: "message"; sender: string; time: string; body: string };

export interface Content {
  subject: string;
  heading: string;
  blocks: Block[];
}

/** Returns a mail as nodemailer takes it. Everything in it is escaped, including the texts of visitors. */
export function composeMail(content: Content) {
  const text = [brand.name, content.heading, ...content.blocks.map(textOf)].join("\n\n");
  return { subject: content.subject, text: `${text}\n`, html: page(content) };
}

function textOf(block: Block): string {
  switch (block.kind) {
    case "paragraph":
    case "small":
    case "due":
      return block.parts.map((part) => (typeof part === "string" ? part : part.address)).join("");
    case "buttons":
    case "links":
      return block.links.map(({ text, href, plain = href }) => `${text}: ${plain}`).join("\n");
    case "rule":
      return "* * *";
    case "code":
      return `${block.label}\n\n${block.code}`;
    case "url":
      return `${block.label}\n\n${block.href}`;
    case "message": {
      // The mark is in each line, because a message could otherwise pass for the end of the mail.
      const quoted = block.body && `\n\n${block.body.replaceAll(/^/gm, "> ")}`;
      return `${block.sender} · ${block.time}${quoted}`;
    }
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
              <td ${attributes("band", light)}>
                <span aria-hidden="true" ${attributes("star", light)}><span ${attributes("star-points", light)}></span></span>${escapeHtml(name)}
              </td>
            </tr>
            <tr>
              <td ${attributes("content", light)}>
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
  const element = (style: StyleName, html: string, direction?: "ltr") =>
    `<p ${direction ? `dir="${direction}" ` : ""}${attributes(style, colours)}>${html}</p>`;
  const anchor = (style: StyleName, { text, href }: Link) =>
    `<a href="${escapeHtml(href)}" ${attributes(style, colours)}>${escapeHtml(text)}</a>`;
  switch (block.kind) {
    case "paragraph":
    case "small":
    case "due":
      return [element(block.kind, block.parts.map(partOf).join(""))];
    case "buttons": {
      const buttons = block.links.map((link, index) => anchor(index ? "outline" : "fill", link));
      return [element("buttons", buttons.join(""))];
    }
    case "links":
      return [element("links", block.links.map((link) => anchor("link", link)).join("&emsp; "))];
    case "rule":
      return [`<hr ${attributes("rule", colours)} />`];
    case "code":
      return [
        element("label", escapeHtml(block.label)),
        element("code", escapeHtml(block.code), "ltr"),
      ];
    case "url":
      return [
        element("label", escapeHtml(block.label)),
        element(
          "url",
          anchor("link", { text: readableAddress(block.href), href: block.href }),
          "ltr",
        ),
      ];
    case "message":
      return [
        element("sender", `<bdi>${escapeHtml(block.sender)}</bdi>`),
        element("small", escapeHtml(block.time)),
        ...(block.body === "" ? [] : [quote(block.body)]),
      ];
  }
}

function quote(body: string): string {
  const direction = directionOf(body);
  const style = direction === "rtl" ? "quote-right" : "quote-left";
  const html = escapeHtml(body).replaceAll("\n", "<br>");
  return `<div dir="${direction}" ${attributes(style, brand.light)}>${html}</div>`;
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
