import { readdir, readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { plainText, renderTemplate, subjectOf } from "./template.ts";

const variables = {
  SiteURL: "https://example.com",
  RedirectTo: "https://example.com/a?b=1&c=ن",
  TokenHash: "abc123",
  Token: "012345",
  Email: `"<b>"&'x'@example.com`,
  NewEmail: "new@example.com",
};

describe("renderTemplate", () => {
  test("escapes for HTML in text and for URLs in a query", () => {
    const source = `<a href="{{ .SiteURL }}/c?t={{ .TokenHash }}&amp;next={{.RedirectTo}}">{{ .Email }}</a>`;
    expect(renderTemplate(source, variables)).toBe(
      `<a href="https://example.com/c?t=abc123&amp;next=https%3A%2F%2Fexample.com%2Fa%3Fb%3D1%26c%3D%D9%86">` +
        `&quot;&lt;b&gt;&quot;&amp;&#39;x&#39;@example.com</a>`,
    );
  });

  test("throws for unknown variables and other actions", () => {
    for (const action of [".Unknown", ".toString", "if .Email", ""]) {
      expect(() => renderTemplate(`{{ ${action} }}`, variables)).toThrow("The mail template uses");
    }
  });
});

const folder = new URL("../../templates/", import.meta.url);
const names = await readdir(folder);
const notices = ["wrong_codes.html"];
const hosted = names.filter((name) => !notices.includes(name));

describe.each(hosted)("%s", (name) => {
  test("becomes an Arabic mail with subject, code and link, also as plain text", async () => {
    const html = renderTemplate(await readFile(new URL(name, folder), "utf8"), variables);
    expect(html).toContain('<html lang="ar" dir="rtl">');
    expect(subjectOf(html)).toMatch(/^[\u0600-\u06FF ]{5,60}$/);
    const text = plainText(html);
    expect(text).toMatch(/^012345$/m);
    expect(text).not.toMatch(/[{}]|&(?:amp|quot|lt|gt);|<\/|style=/);
    const links = text.match(/https:\S+/g) ?? [];
    expect(links).toHaveLength(2);
    for (const link of links) {
      expect(new URL(link).searchParams.get("token_hash")).toBe("abc123");
    }
  });
});

test("has the five templates of hosted Supabase", () => {
  expect(hosted.toSorted()).toEqual([
    "confirmation.html",
    "email_change.html",
    "invite.html",
    "magic_link.html",
    "recovery.html",
  ]);
});

test.each(notices)("%s is an Arabic notice that holds no secret", async (name) => {
  const html = renderTemplate(await readFile(new URL(name, folder), "utf8"), variables);
  expect(html).toContain('<html lang="ar" dir="rtl">');
  expect(subjectOf(html)).toMatch(/^[\u0600-\u06FF ]{5,60}$/);
  const text = plainText(html);
  expect(text).toMatch(/^https:\/\/example\.com\/account$/m);
  expect(text).not.toMatch(/012345|abc123|[{}]/);
});
