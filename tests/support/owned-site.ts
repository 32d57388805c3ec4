import { cp, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { owner } from "#app/content/owner.ts";
import type { Owner } from "#app/content/schema.ts";
import { root, type RunningSite, startSite } from "./site.ts";

const parts = [
  "app",
  "public",
  "supabase",
  "package.json",
  "package-lock.json",
  "react-router.config.ts",
  "tsconfig.json",
  "vite.config.ts",
];

/** A copy of the project, built and started with other content, as an owner would change it. */
export async function startOwnedSite(content: Partial<Owner>): Promise<RunningSite> {
  const project = await mkdtemp(join(tmpdir(), "tawasul-owned-"));
  for (const part of parts) {
    await cp(join(root, part), join(project, part), { recursive: true });
  }
  await symlink(join(root, "node_modules"), join(project, "node_modules"));
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
