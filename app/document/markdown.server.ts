import { Marked, type Tokens } from "marked";

/** The name of a heading in an address, as GitHub makes it. */
const slugOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}_ -]/gu, "")
    .replaceAll(" ", "-");

/** Where a document links to: a place in itself, another site, or a document that the site shows, too. */
const shownTarget = /^(?:#|https:|(?:DEPLOY|BACKUPS)\.md(?:#|$))/;

const marked = new Marked({
  renderer: {
    heading({ tokens, depth, text }) {
      return `<h${depth} id="${slugOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>`;
    },
    link({ href, tokens }) {
      const content = this.parser.parseInline(tokens);
      return shownTarget.test(href) ? `<a href="${pageOf(href)}">${content}</a>` : content;
    },
    code({ text }: Tokens.Code) {
      // Whoever uses the keyboard scrolls a long line.
      return `<pre dir="ltr" tabindex="0"><code>${escaped(text)}</code></pre>`;
    },
    codespan({ text }) {
      return `<code dir="ltr">${escaped(text)}</code>`;
    },
  },
});

const escaped = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");

const pageOf = (href: string) =>
  escaped(
    href.replace(/^([A-Z]+)\.md/, (_, name: string) => `/account/documents/${name.toLowerCase()}`),
  );

/** The HTML of one of our own documents. */
export const htmlOf = (document: string): string => marked.parse(document, { async: false });
