import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const example = new URL("example.ts", import.meta.url);

test("the example of the README runs", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [example.pathname]);
  expect(stdout).toContain("live: Hello\nread: [ { name: 'Sara', message: 'Hello' } ]\n");
});

test("the README shows the example as it is", async () => {
  const readme = await readFile(new URL("README.md", import.meta.url), "utf8");
  expect(readme).toContain(`\`\`\`ts\n${await readFile(example, "utf8")}\`\`\``);
});
