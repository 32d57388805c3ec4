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

/**
 * Returns a copy of the project whose sites are started with content of their own. The first start
 * builds it.
 */
export async function ownedProject() {
  const project = await copyProject();
  const file = join(project, "app/content/owner.ts");
  await writeFile(file, (await readFile(file, "utf8")) + fromEnvironment);
  return {
    start: (content: Content): Promise<RunningSite> =>
      startSite({ OWNER: JSON.stringify(content) }, undefined, [], project),
    remove: () => rm(project, { recursive: true, force: true }),
  };
}
