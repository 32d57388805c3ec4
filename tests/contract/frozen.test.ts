import { createHash } from "node:crypto";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import manifest from "#package.json" with { type: "json" };
import { migrationsDir } from "#tests/support/cluster-template.ts";
import { useFolder } from "#tests/support/use-folder.ts";

const list = new URL("migrations.sha256", import.meta.url);
const folder = useFolder();

/**
 * What is wrong with a folder of migrations, by the list of those that releases had: a line with `#` and
 * the version for each release, and below it its new files as sha256sum writes them.
 */
async function faultsOf(migrations: string, text: string, version: string): Promise<string[]> {
  const released = new Map<string, string>();
  for (const line of text.split("\n").filter((each) => each && !each.startsWith("#"))) {
    const [sum = "", name = ""] = line.split("  ");
    released.set(name, sum);
  }
  const names = (await readdir(migrations)).toSorted();
  const last = [...released.keys()].toSorted().at(-1) ?? "";
  const found = [...released.keys()]
    .filter((name) => !names.includes(name))
    .map((name) => `${name} is gone: databases have it. Bring it back.`);
  const added: string[] = [];
  for (const name of names) {
    const sum = createHash("sha256")
      .update(await readFile(join(migrations, name)))
      .digest("hex");
    const known = released.get(name);
    if (known === undefined && name < last) {
      found.push(
        `${name} must run last: give it a later date than ${last}. No release has it, so it may change.`,
      );
    } else if (known === undefined) {
      added.push(`${sum}  ${name}`);
    } else if (known !== sum) {
      found.push(`${name} was changed: databases have it. Undo that, and write a new file.`);
    }
  }
  if (!text.split("\n").includes(`# ${version}`)) {
    const lines = [`# ${version}`, ...added].join("\n");
    found.push(`${version} freezes its files. Add to tests/contract/migrations.sha256:\n${lines}`);
  }
  return found;
}

const write = (name: string, text: string) => writeFile(join(folder.path, name), text);
const faults = (text: string, version = "2.0.0") => faultsOf(folder.path, text, version);

test("a migration may change until a release has it, and a new one comes after those", async () => {
  await write("1_first.sql", "select 1;");
  await write("3_third.sql", "select 3;");
  const [unreleased = "", ...others] = await faults("");
  expect(others).toEqual([]);
  const [first, ...lines] = unreleased.split("\n");
  expect(first).toBe("2.0.0 freezes its files. Add to tests/contract/migrations.sha256:");
  expect(lines).toEqual([
    "# 2.0.0",
    expect.stringMatching(/^[0-9a-f]{64} {2}1_first\.sql$/),
    expect.stringMatching(/^[0-9a-f]{64} {2}3_third\.sql$/),
  ]);
  const released = `${lines.join("\n")}\n`;
  expect(await faults(released)).toEqual([]);
  for (const draft of ["select 4;", "select 5;"]) {
    await write("4_fourth.sql", draft);
    expect(await faults(released)).toEqual([]);
  }
  expect(await faults(released, "2.1.0")).toEqual([
    expect.stringMatching(/^2\.1\.0 freezes .*\n# 2\.1\.0\n[0-9a-f]{64} {2}4_fourth\.sql$/),
  ]);
  await write("1_first.sql", "select 2;");
  await write("2_second.sql", "select 2;");
  expect(await faults(`${released}${"0".repeat(64)}  3_gone.sql\n`)).toEqual([
    "3_gone.sql is gone: databases have it. Bring it back.",
    "1_first.sql was changed: databases have it. Undo that, and write a new file.",
    "2_second.sql must run last: give it a later date than 3_third.sql. No release has it, so it may change.",
  ]);
});

test("the migrations are those of the releases", async () => {
  const text = await readFile(list, "utf8");
  expect(await faultsOf(migrationsDir, text, manifest.version)).toEqual([]);
});
