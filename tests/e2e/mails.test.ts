import { composeAccountMail } from "#app/server/mail/account-texts.ts";
import { mailTexts } from "#app/server/notifications/mail-text.ts";
import { expectFit } from "#tests/support/browser/looks.ts";
import { test } from "#tests/support/browser/test.ts";
import { furtherFields } from "#tests/support/messages.ts";

const site = new URL("https://tawasul.example");
const id = "0b8f6a52-7c1d-4e7a-9a55-1d3c2f4b5a69";
const message = {
  ...furtherFields,
  id,
  name: "نورة السالم",
  email: `${"a-long-name".repeat(5)}@example.com`,
  phone: "966500000002",
  message: "السلام عليكم\nأبغى صفحة هبوط، مثل https://example.com/coffee-landing",
  created_at: "2026-11-24T06:15:00Z",
};
const variables = {
  SiteURL: site.origin,
  RedirectTo: `${site}admin`,
  TokenHash: "pkce_5f1c2b9a0d7e4c".repeat(3),
  Token: "483920",
  Email: message.email,
  NewEmail: message.email,
};
const mails = {
  "of a message": mailTexts({ id, to: null, messages: 1, newest: [message] }, site, {
    hasBody: true,
    isAnswerable: true,
    absences: [],
  }),
  "of several": mailTexts({ id, to: null, messages: 5, newest: [message, message] }, site, {
    hasBody: true,
    isAnswerable: true,
    absences: [],
  }),
  "with a code": composeAccountMail({ template: "email_change", variables }),
  "of a change": composeAccountMail({ template: "wrong_codes", variables }),
};

for (const [name, { html }] of Object.entries(mails)) {
  test(`the mail ${name} fits a phone, also with long addresses`, async ({ page }) => {
    await page.setContent(html);
    await expectFit(page);
  });
}
