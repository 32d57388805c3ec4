import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, holdScripts, isHydrated, test } from "#tests/support/browser/test.ts";
import { copyProject } from "#tests/support/project-copy.ts";

const list = `
  <label htmlFor="plan">الباقة</label>
  <select id="plan" name="plan" defaultValue="b">
    <option value="a">أ</option><option value="b">ب</option><option value="c">ج</option>
  </select>
</PostForm>`;

test("a list that a developer adds keeps what was chosen, and takes the focus as a field", async ({
  page,
  start,
}) => {
  test.setTimeout(240_000);
  const project = await copyProject();
  const file = join(project, "app/routes/auth/mail-form.tsx");
  await writeFile(file, (await readFile(file, "utf8")).replace("</PostForm>", list));
  const site = await start({}, undefined, [], project);
  const release = await holdScripts(page);
  await page.goto(`${site.url}/auth/forgot`, { waitUntil: "domcontentloaded" });
  const plan = page.getByRole("combobox", { name: "الباقة" });
  await plan.focus();
  await plan.selectOption("c");
  // React then makes all elements of the page again.
  await page.evaluate(() => document.querySelector("label")?.prepend("Translated "));
  release();
  await page.waitForFunction(isHydrated);
  await expect(plan).toHaveValue("c");
  await expect(plan).toBeFocused();
  await expect(plan).toHaveCSS("font-size", "16px");

  await page.getByLabel("البريد الإلكتروني").fill("noura@example.com");
  await page.context().setOffline(true);
  await page.getByRole("button", { name: "إرسال الرسالة" }).press("Enter");
  await expect(page.getByRole("alert")).toContainText("انقطع الاتصال");
  await expect(plan).toHaveValue("c");
  await expect(plan).toBeFocused();
  await rm(project, { recursive: true, force: true });
});
