import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { owner } from "#app/content/owner.ts";
import type { Owner } from "#app/content/schema.ts";
import { copyProject } from "./project-copy.ts";
import { type RunningSite, startSite } from "./site.ts";

/** Builds and starts a copy of the project with other content. */
export async function startOwnedSite(content: Partial<Owner>): Promise<RunningSite> {
  const project = await copyProject();
  const module = `export const timeZone = "${owner.timeZone}";
export const owner = ${JSON.stringify({ ...owner, ...content })};`;
  await writeFile(join(project, "app/content/owner.ts"), module);
  const site = await startSite({}, undefined, [], project);
  return {
    ...site,
    async stop() {
      await site.stop();
      await rm(project, { recursive: true, force: true });
    },
  };
}
