import { createHash } from "node:crypto";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import manifest from "#package.json" with { type: "json" };
import { migrationsDir } from "#tests/support/cluster-template.ts";
import { useFolder } from "#tests/support/use-folder.ts";

const list = new URL("migrations.sha256", import.meta.url);
const folder = useFolder();

/** What is wrong with a folder of migrations, by a list of their hashes as sha256sum writes it. */
async function faultsOf(migrations: string, text: string): Promise<string[]> {
  const frozen = new Map<string, string>();
  for (const line of text.split("\n").filter(Boolean)) {
    const [sum = "", name = ""] = line.split("  ");
    frozen.set(name, sum);
  }
  const names = (await readdir(migrations)).toSorted();
  const last = [...frozen.keys()].toSorted().at(-1) ?? "";
  const faults = [...frozen.keys()]
    .filter((name) => !names.includes(name))
    .map((name) => `${name} is gone: databases have it. Bring it back.`);
  for (const name of names) {
    const sum = createHash("sha256")
      .update(await readFile(join(migrations, name)))
      .digest("hex");
    const known = frozen.get(name);
    if (known === undefined && name < last) {
      faults.push(`${name} is new and must run last: give it a later date than ${last}.`);
    } else if (known === undefined) {
      faults.push(`${name} is new. Add to tests/contract/migrations.sha256:\n${sum}  ${name}`);
    } else if (known !== sum) {
      faults.push(`${name} was changed: databases have it. Undo that, and write a new file.`);
    }
  }
  return faults;
}

test("a migration that a release had is never changed, and a new one comes after it", async () => {
  const write = (name: string, text: string) => writeFile(join(folder.path, name), text);
  await write("1_first.sql", "select 1;");
  await write("3_third.sql", "select 3;");
  const added = await faultsOf(folder.path, "");
  expect(added).toEqual([
    expect.stringMatching(/^1_first\.sql is new\. Add to \S+:\n[0-9a-f]{64} {2}1_first\.sql$/),
    expect.stringMatching(/^3_third\.sql is new\./),
  ]);
  const lines = added.map((fault) => fault.split("\n")[1]).join("\n");
  expect(await faultsOf(folder.path, `${lines}\n`)).toEqual([]);
  await write("1_first.sql", "select 2;");
  await write("2_second.sql", "select 2;");
  expect(await faultsOf(folder.path, `${lines}\n${"0".repeat(64)}  3_gone.sql\n`)).toEqual([
    "3_gone.sql is gone: databases have it. Bring it back.",
    "1_first.sql was changed: databases have it. Undo that, and write a new file.",
    "2_second.sql is new and must run last: give it a later date than 3_third.sql.",
  ]);
});

// 2.0.0 begins the schema again. Until then its files are edited in place.
const rests = manifest.version === "1.0.0";

test.skipIf(rests)("the migrations are those of the releases, from 2.0.0 on", async () => {
  const text = await readFile(list, "utf8");
  expect(await faultsOf(migrationsDir, text)).toEqual([]);
});
