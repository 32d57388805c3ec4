import { cp, mkdtemp, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "./spawn-server.ts";

const parts = [
  ".github",
  "app",
  "public",
  "supabase",
  "package.json",
  "package-lock.json",
  "react-router.config.ts",
  "tsconfig.json",
  "vite.config.ts",
];

/** Copies the sources to a new folder that uses the installed packages. Returns its path. */
export async function copyProject(): Promise<string> {
  const project = await mkdtemp(join(tmpdir(), "tawasul-project-"));
  for (const part of parts) {
    await cp(join(root, part), join(project, part), { recursive: true });
  }
  await symlink(join(root, "node_modules"), join(project, "node_modules"));
  return project;
}
