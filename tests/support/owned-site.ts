import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Owner } from "#app/content/schema.ts";
import { copyProject } from "./project-copy.ts";
import { type RunningSite, startSite } from "./site.ts";

/** Fields that are replaced, and with null those that are left out. */
export type Content = { [Field in keyof Owner]?: Owner[Field] | null };

/** Makes the server read content from an environment variable; the browser's scripts have none. */
const fromEnvironment = `
const isServer = import.meta.env === undefined || import.meta.env.SSR;
Object.assign(owner, JSON.parse((isServer && process.env["OWNER"]) || "{}"));
for (const field in owner) {
  if (owner[field] === null) {
    delete owner[field];
  }
}
`;

/** As a developer may add it to a form. */
const list = `
  <label htmlFor="plan">الباقة</label>
  <select id="plan" name="plan" defaultValue="b">
    <option value="a">أ</option><option value="b">ب</option><option value="c">ج</option>
  </select>
</PostForm>`;

/**
 * Returns a copy of the project whose sites are started with content of their own, and whose form of
 * /auth/forgot has a list. The first start builds it.
 */
export async function ownedProject() {
  const project = await copyProject();
  await edit("app/content/owner.ts", (text) => text + fromEnvironment);
  await edit("app/routes/auth/mail-form.tsx", (text) => text.replace("</PostForm>", list));
  return {
    start: (content: Content): Promise<RunningSite> =>
      startSite({ OWNER: JSON.stringify(content) }, undefined, [], project),
    remove: () => rm(project, { recursive: true, force: true }),
  };

  async function edit(path: string, change: (text: string) => string) {
    const file = join(project, path);
    await writeFile(file, change(await readFile(file, "utf8")));
  }
}
