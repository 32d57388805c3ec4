import { networkInterfaces } from "node:os";
import { devices } from "playwright/test";
import {
  expect,
  fillMessage,
  liveBadge,
  newAccount,
  newMessage,
  sendMessage,
  submitCredentials,
  test,
} from "#tests/support/browser/test.ts";

// This machine's address in its network, without a name or a certificate.
const address = Object.values(networkInterfaces())
  .flat()
  .find((each) => each?.family === "IPv4" && !each.internal)?.address;

test.skip(address === undefined, "This machine has no address in a network.");
test.use({ ...devices["Pixel 7"], locale: "ar-SA" });

test("the owner's phone in the same network sends, signs up, claims and sees a message arrive", async ({
  browser,
  start,
}) => {
  const site = await start({ HOST: "0.0.0.0" });
  const baseURL = `http://${address}:${new URL(site.url).port}`;
  // For whoever reads the log beside the phone.
  for (const line of [`is ready: ${baseURL}`, `yours at ${baseURL}/admin/claim?code=`]) {
    expect(site.output()).toContain(line);
  }
  const phone = await browser.newPage({ ...devices["Pixel 7"], baseURL });
  await phone.goto("/");
  await fillMessage(phone, newMessage());
  await sendMessage(phone);
  expect(new URL(phone.url()).origin).toBe(baseURL);
  expect(await (await phone.request.get("/contact.vcf")).text()).toContain(`URL:${baseURL}/`);

  await phone.goto(site.claimPath());
  await phone.getByRole("button", { name: "ليس لديك حساب؟ سجل الآن" }).click();
  await submitCredentials(phone, newAccount(), "إنشاء حساب");
  await phone.getByRole("button", { name: "نعم، اجعله لي وحدي" }).click();
  await expect(phone.getByText("صار الصندوق لك وحدك")).toBeVisible();
  await expect(liveBadge(phone)).toBeVisible();
  expect(new URL(phone.url()).origin).toBe(baseURL);

  const laptop = await browser.newPage({ baseURL: site.url });
  const text = newMessage();
  await laptop.goto("/");
  await fillMessage(laptop, text);
  await sendMessage(laptop);
  await expect(phone.getByRole("heading", { name: text.name })).toBeVisible();
});
