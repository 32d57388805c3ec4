import { execFile } from "node:child_process";
import { copyFile, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { root } from "#tests/support/site.ts";

// The rules of .oxlintrc.json on imports, each with what it must refuse.

/** The room of a module, and what it must not import. */
const refused: [module: string, target: string][] = [
  ["app/site.ts", "#app/server/settings.ts"],
  ["app/site.ts", "#embedded/index.ts"],
  ["app/server/a.ts", "#app/routes/form.server.ts"],
  ["app/server/a.ts", "#embedded/index.ts"],
  ["app/server/a.ts", "#supabase/embedded/index.ts"],
  ["app/server/a.ts", "#supabase/transfer/export.ts"],
  ["app/server/backend.ts", "#app/routes/form.server.ts"],
  ["app/server/commands/a.ts", "#app/session/guards.server.ts"],
  ["app/document/a.server.ts", "#app/session/guards.server.ts"],
  ["app/session/a.server.ts", "#app/server/settings.ts"],
  ["app/session/a.server.ts", "#app/components/field.tsx"],
  ["app/session/a.server.ts", "#app/site.ts"],
  ["app/routes/home/a.ts", "#app/server/settings.ts"],
  ["app/routes/home/a.ts", "#app/root.tsx"],
  ["app/routes/home/a.ts", "#supabase/shared/address.ts"],
  ["app/routes/home/a.ts", "node:fs"],
  ["app/components/a.ts", "#app/routes/auth/mode.ts"],
  ["app/components/a.ts", "#app/session/guards.server.ts"],
  ["app/components/a.ts", "#app/models/date.server.ts"],
  ["app/components/a.ts", "zod"],
  ["app/hooks/a.ts", "#app/components/field.tsx"],
  ["app/hooks/a.ts", "#app/lib/log.server.ts"],
  ["app/models/a.server.ts", "react-router"],
  ["app/models/a.server.ts", "@react-router/node"],
  ["app/models/a.server.ts", "hono"],
  ["app/models/a.server.ts", "#app/session/guards.server.ts"],
  ["app/models/a.ts", "#app/hooks/use-busy.ts"],
  ["app/models/a.ts", "node:fs"],
  ["app/models/a.ts", "zod"],
  ["app/content/a.ts", "#app/models/inbox.ts"],
  ["app/lib/a.ts", "#app/content/owner.ts"],
  ["app/lib/a.ts", "#app/site.ts"],
  ["app/lib/a.ts", "#supabase/database.types.ts"],
  ["app/lib/a.ts", "#package.json"],
  ["app/lib/a.ts", "../models/inbox.ts"],
  ["app/lib/a.ts", "react-router"],
  ["supabase/embedded/a.ts", "#app/lib/shorten.ts"],
  ["supabase/embedded/a.ts", "#supabase/transfer/export.ts"],
  ["supabase/embedded/a.ts", "#tests/support/site.ts"],
  ["supabase/embedded/auth/a.ts", "../tokens.ts"],
  ["supabase/shared/a.ts", "#embedded/index.ts"],
];

const allowed: [module: string, target: string][] = [
  ["app/server/backend.ts", "#embedded/index.ts"],
  ["app/server/commands/a.ts", "#supabase/transfer/export.ts"],
  ["app/session/a.server.ts", "#app/models/inbox.ts"],
  ["app/routes/home/a.ts", "#app/session/guards.server.ts"],
  ["app/components/a.ts", "#app/hooks/use-busy.ts"],
  ["app/models/a.server.ts", "zod"],
  ["app/models/a.server.ts", "node:fs"],
  ["app/lib/a.server.ts", "#supabase/shared/limit-log.ts"],
  ["supabase/embedded/auth/a.ts", "#embedded/tokens.ts"],
];

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "lint-"));
  await copyFile(join(root, ".oxlintrc.json"), join(folder, ".oxlintrc.json"));
  await copyFile(join(root, "package.json"), join(folder, "package.json"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Returns what the linter says of these files, which are alone in a folder. */
async function lint(files: [path: string, source: string][]): Promise<string> {
  const paths = files.map(([path]) => path);
  for (const [path, source] of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), source);
  }
  const linter = join(root, "node_modules/oxlint/bin/oxlint");
  const output = await new Promise<string>((resolve) => {
    execFile(process.execPath, [linter, "-f", "unix", ...paths], { cwd: folder }, (_, stdout) =>
      resolve(stdout),
    );
  });
  await Promise.all(paths.map((path) => rm(join(folder, path))));
  return output;
}

const importing = (target: string) =>
  `import { thing } from "${target}";\nexport const other = [thing];\n`;

test.each(refused)("%s may not import %s", async (module, target) => {
  expect(await lint([[module, importing(target)]])).toMatch(
    /no-restricted-imports|no-relative-parent-imports|no-nodejs-modules/,
  );
});

test.each(allowed)("%s may import %s", async (module, target) => {
  expect(await lint([[module, importing(target)]])).toBe("");
});

test("an import on demand counts as one", async () => {
  const source = `export async function other() {\n  return await import("#embedded/index.ts");\n}\n`;
  expect(await lint([["app/server/a.ts", source]])).toContain("no-restricted-imports");
});

test("two modules may not import each other, types neither", async () => {
  const report = await lint([
    ["app/lib/a.ts", `import type { B } from "#app/lib/b.ts";\nexport interface A {\n  b: B;\n}\n`],
    [
      "app/lib/b.ts",
      `import type { A } from "#app/lib/a.ts";\nexport interface B {\n  a?: A;\n}\n`,
    ],
  ]);
  expect(report).toContain("no-cycle");
});
