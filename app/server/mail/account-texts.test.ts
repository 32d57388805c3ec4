import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { parse } from "smol-toml";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { brand } from "#app/content/brand.server.ts";
import { composeAccountMail, type LinkTemplate, linkTemplates } from "./account-texts.ts";
import { type AccountChange, accountChanges } from "./change-texts.ts";

const variables = {
  SiteURL: "https://example.com",
  RedirectTo: "https://example.com/a?b=1&c=ن",
  TokenHash: "abc123",
  Token: "012345",
  Email: "old@example.com",
  NewEmail: "new@example.com",
};

/** Returns a mail as a template of hosted Supabase, which fills and encodes the variables. */
function hostedTemplate(template: LinkTemplate) {
  const names = Object.keys(variables);
  // Nothing encodes or escapes these values.
  const marks = Object.fromEntries(names.map((name) => [name, `_${name}_`])) as typeof variables;
  const { subject, html } = composeAccountMail({ template, variables: marks });
  const mark = new RegExp(`_(${names.join("|")})_`, "g");
  return { subject, html: html.replaceAll(mark, "{{ .$1 }}") };
}

describe.each(linkTemplates)("%s", (template) => {
  const mail = composeAccountMail({ template, variables });

  // If this fails after a change of a colour or a text, run npm run templates.
  test("the file for hosted Supabase is up to date", async ({ skip }) => {
    const { html } = hostedTemplate(template);
    const file = new URL(`../../../supabase/templates/${template}.html`, import.meta.url);
    const isOthers = !(await readFile(file, "utf8")).includes(brand.name);
    skip(
      isOthers && process.env["npm_lifecycle_event"] !== "templates",
      "The file has another name. A hosted Supabase needs yours: npm run templates",
    );
    await expect(html).toMatchFileSnapshot(fileURLToPath(file));
  });

  test("is an Arabic mail with subject, code and link, also as plain text", () => {
    expect(mail.html).toContain('<html lang="ar" dir="rtl">');
    expect(mail.html).toContain(brand.name);
    expect(mail.subject).toMatch(/^[\u0600-\u06FF ]{5,60}$/);
    expect(mail.text).toMatch(/^012345$/m);
    expect(mail.text).not.toMatch(/[{}]|&(?:amp|quot|lt|gt);|<\/|style=/);
    const links = mail.text.match(/https:\S+/g) ?? [];
    expect(links).toHaveLength(2);
    for (const link of links) {
      expect(new URL(link).searchParams.get("token_hash")).toBe("abc123");
    }
    expect(new URL(links[0] ?? "").searchParams.get("next")).toBe(variables.RedirectTo);
  });
});

test("config.toml names each file for hosted Supabase with its subject", async () => {
  const files = linkTemplates.map((template) => `${template}.html`);
  expect(
    (await readdir(new URL("../../../supabase/templates", import.meta.url))).toSorted(),
  ).toEqual(files.toSorted());
  const templateSchema = z.object({ subject: z.string(), content_path: z.string() });
  const configSchema = z.object({
    auth: z.object({ email: z.object({ template: z.record(z.string(), templateSchema) }) }),
  });
  const config = configSchema.parse(
    parse(await readFile(new URL("../../../supabase/config.toml", import.meta.url), "utf8")),
  );
  expect(config.auth.email.template).toEqual(
    Object.fromEntries(
      linkTemplates.map((template) => [
        template,
        {
          subject: hostedTemplate(template).subject,
          content_path: `./supabase/templates/${template}.html`,
        },
      ]),
    ),
  );
});

const hostile = `"<b>"&'x'@example.com`;
const escaped = "&quot;&lt;b&gt;&quot;&amp;&#39;x&#39;@example.com";

test("the address in a mail about an account is escaped", () => {
  const { html, text } = composeAccountMail({
    template: "wrong_codes",
    variables: { Email: hostile, SiteURL: variables.SiteURL },
  });
  expect(html).toContain(escaped);
  expect(html).not.toContain("<b>");
  expect(text).toContain(hostile);
});

/** Who got this mail cannot choose a new password: the address or the second factor is another's, or there is none. */
const isOutOfReach = (change: AccountChange) =>
  ["email_changed", "factor_added", "account_deleted"].includes(change);

test.each(accountChanges)(
  "the mail about %s is Arabic, names the account and a way out that works",
  (template) => {
    const { subject, text } = composeAccountMail({ template, variables });
    expect(subject).toMatch(/^[\u0600-\u06FF ]{5,60}$/);
    expect(text).toContain("old@example.com");
    const way = [text.match(/https:\S+/g), text.includes("npm run sql")];
    expect(way).toEqual(
      isOutOfReach(template)
        ? [["https://example.com"], true]
        : [["https://example.com/auth/forgot"], false],
    );
  },
);

test("the old address reads that it is no longer the account's", () => {
  const { text } = composeAccountMail({ template: "email_changed", variables });
  expect(text).toContain("لم يعد old@example.com بريدَ حسابك، فقد تغيّر إلى عنوان آخر.");
  expect(text).toContain("إن كنت أنت من فعل ذلك فلا داعي لأي إجراء.");
});
