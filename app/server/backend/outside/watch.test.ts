import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { projectRoot } from "#app/server/settings.ts";
import { supabaseCli } from "./watch.ts";

const read = (file: string) => readFileSync(join(projectRoot, file), "utf8").replaceAll("\n", " ");

// The commands of version 2 had another database as their target.
test("the documents name Supabase's commands with the version that the log names", () => {
  const texts = [".github/DEPLOY.md", ".github/BACKUPS.md", "supabase/config.toml"].map(read);
  const commands = texts.flatMap((text) =>
    Array.from(text.matchAll(/(?:npx )?\bsupabase\S* (?:login|link|db|config)\b/g), ([all]) => all),
  );
  expect(commands.length).toBeGreaterThan(3);
  expect(commands.filter((command) => !command.startsWith(`${supabaseCli} `))).toEqual([]);
});
