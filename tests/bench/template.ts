import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import manifest from "#package.json" with { type: "json" };
import { root, type Running, startServer } from "./servers.ts";

const bin = (name: string) => join(root, "node_modules/.bin", name);

/**
 * Starts the home page in React Router's default template: the same components and style sheet, but
 * the template's root, entries, build and server (react-router-serve).
 * @param folder an empty folder for the build
 */
export async function startTemplate(folder: string): Promise<Running> {
  await cp(join(root, "app"), join(folder, "app"), { recursive: true });
  // The template's entry needs isbot. Its build would otherwise install it.
  const dependencies = { ...manifest.dependencies, isbot: "5" };
  await writeFile(join(folder, "package.json"), JSON.stringify({ ...manifest, dependencies }));
  const template = join(root, "tests/bench/template");
  await cp(template, join(folder, "template"), { recursive: true });
  for (const config of ["vite.config.ts", "react-router.config.ts"]) {
    await cp(join(template, config), join(folder, config));
  }
  await symlink(join(root, "node_modules"), join(folder, "node_modules"));
  const build = spawn(process.execPath, [bin("react-router"), "build"], {
    cwd: folder,
    stdio: ["ignore", "ignore", "inherit"],
  });
  const [code] = await once(build, "exit");
  if (code !== 0) {
    throw new Error("The default template could not be built.");
  }
  return startServer([bin("react-router-serve"), "build/server/index.js"], {
    cwd: folder,
    ready: "http://",
  });
}
