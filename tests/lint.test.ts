import { execFile } from "node:child_process";
import { copyFile, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { root } from "#tests/support/spawn-server.ts";

// The rules of .oxlintrc.ts on imports, each with what it must refuse.

interface Imports {
  refused: string[];
  allowed?: string[];
}

const modules: Record<string, Imports> = {
  "app/site.ts": { refused: ["#app/server/settings.ts", "embedded-supabase"] },
  "app/server/a.ts": {
    refused: ["#app/routes/form.server.ts", "embedded-supabase", "#supabase/embedded/index.ts"],
  },
  "app/supabase-calls.ts": {
    refused: ["embedded-supabase"],
    allowed: ["#supabase/database.types.ts"],
  },
  "app/server/backend.ts": {
    refused: ["#app/routes/form.server.ts", "embedded-supabase/maintenance"],
    allowed: ["#app/supabase-calls.ts", "embedded-supabase"],
  },
  "app/server/commands/a.ts": {
    refused: ["#app/session/guards.server.ts", "embedded-supabase", "embedded-supabase/testing"],
    allowed: ["embedded-supabase/maintenance"],
  },
  "app/document/a.server.ts": { refused: ["#app/session/guards.server.ts"] },
  "app/session/a.server.ts": {
    refused: ["#app/server/settings.ts", "#app/components/field.tsx", "#app/site.ts"],
    allowed: ["#app/models/inbox.ts"],
  },
  "app/routes/home/a.ts": {
    refused: ["#app/server/settings.ts", "#app/root.tsx", "node:fs"],
    allowed: ["#app/session/guards.server.ts"],
  },
  "app/components/a.ts": {
    refused: [
      "#app/routes/auth/mode.ts",
      "#app/session/guards.server.ts",
      "#app/models/date.server.ts",
      "zod",
    ],
    allowed: ["#app/hooks/use-busy.ts"],
  },
  "app/hooks/a.ts": { refused: ["#app/components/field.tsx", "#app/lib/log.server.ts"] },
  "app/models/a.server.ts": {
    refused: ["react-router", "@react-router/node", "hono", "#app/session/guards.server.ts"],
    allowed: ["zod", "node:fs"],
  },
  "app/models/a.ts": { refused: ["#app/hooks/use-busy.ts", "node:fs", "zod"] },
  "app/content/a.ts": { refused: ["#app/models/inbox.ts"] },
  "app/lib/a.ts": {
    refused: [
      "#app/content/owner.ts",
      "#app/site.ts",
      "#supabase/database.types.ts",
      "#package.json",
      "../models/inbox.ts",
      "react-router",
    ],
  },
  "tests/site/a.test.ts": {
    refused: ["#supabase/embedded/sql.ts"],
    allowed: ["embedded-supabase", "embedded-supabase/testing"],
  },
  "app/lib/a.test.ts": {
    refused: ["#supabase/embedded/sql.ts"],
    allowed: ["#app/site.ts", "node:fs"],
  },
  "supabase/embedded/a.ts": {
    refused: ["#app/lib/shorten.ts", "#supabase/database.types.ts", "#tests/support/site.ts"],
  },
  "supabase/embedded/tests/a.test.ts": {
    refused: ["#app/site.ts", "#tests/support/site.ts"],
    allowed: ["#embedded/sql.ts", "node:fs"],
  },
  "supabase/embedded/auth/a.ts": { refused: ["../tokens.ts"], allowed: ["#embedded/tokens.ts"] },
};

const sources: [path: string, source: string][] = [
  [
    "app/server/demand.ts",
    `export async function other() {\n  return await import("embedded-supabase");\n}\n`,
  ],
  ["app/lib/one.ts", `import type { B } from "#app/lib/two.ts";\nexport type A = B;\n`],
  ["app/lib/two.ts", `import type { A } from "#app/lib/one.ts";\nexport type B = A;\n`],
];

let folder: string;
let report: string[];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "lint-"));
  await copyFile(join(root, ".oxlintrc.ts"), join(folder, ".oxlintrc.ts"));
  await copyFile(join(root, "package.json"), join(folder, "package.json"));
  for (const [path, { refused, allowed = [] }] of Object.entries(modules)) {
    sources.push([path, importing([...refused, ...allowed])]);
  }
  for (const [path, source] of sources) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), source);
  }
  const oxlint = join(root, "node_modules/oxlint/bin/oxlint");
  const linter = [oxlint, "-c", ".oxlintrc.ts", "-f", "unix", "app", "supabase", "tests"];
  report = await new Promise((resolve) => {
    execFile(process.execPath, linter, { cwd: folder }, (_, stdout) => resolve(stdout.split("\n")));
  });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Returns a module with one import in each line. */
function importing(targets: string[]): string {
  const names = targets.map((_, index) => `thing${index}`);
  const lines = targets.map((target, index) => `import { ${names[index]} } from "${target}";`);
  return `${lines.join("\n")}\nexport const other = [${names.join(", ")}];\n`;
}

test.each(Object.entries(modules))("imports of %s", (path, { refused, allowed = [] }) => {
  const found = report.filter((line) => line.startsWith(`${path}:`));
  const targets = [...refused, ...allowed];
  const reported = found.map((line) => targets[Number(line.split(":")[1]) - 1]);
  expect(new Set(reported)).toEqual(new Set(refused));
  for (const line of found) {
    expect(line).toMatch(/no-restricted-imports|no-relative-parent-imports|no-nodejs-modules/);
  }
});

test.each([
  ["an import on demand counts as one", "app/server/demand.ts", "no-restricted-imports"],
  ["two modules may not import each other, types neither", "app/lib/one.ts", "no-cycle"],
])("%s", (_, path, rule) => {
  expect(report.filter((line) => line.startsWith(path)).join("\n")).toContain(rule);
});
