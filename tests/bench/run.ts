import { readFile, writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { type Figure, isMet, machine, type Outcome } from "./measure.ts";

/**
 * `npm run bench`: runs all benchmarks, or those named as arguments, one after the other. With
 * `-- --write`, results.md gets what they measured. Exits with 1 if a figure misses its target.
 */
const names = ["weight", "lighthouse", "load", "interactions", "growth", "live", "start"];
const results = new URL("results.md", import.meta.url);
const { values, positionals: chosen } = parseArgs({
  options: { write: { type: "boolean", default: false } },
  allowPositionals: true,
});
const unknown = chosen.filter((name) => !names.includes(name));
if (unknown.length > 0) {
  console.error(`Unknown benchmark ${unknown.join(", ")}. Known: ${names.join(", ")}.`);
  process.exit(2);
}

let missed = false;
for (const name of chosen.length > 0 ? chosen : names) {
  const { default: measure }: { default: () => Promise<Outcome> } = await import(`./${name}.ts`);
  const { title, note, figures } = await measure();
  const table = ["| | measured | target |", "| --- | --- | --- |", ...figures.map(row)].join("\n");
  const source = `\`npm run bench ${name}\`, ${machine()}.`;
  const section = [`### ${title}`, table, note, source].join("\n\n");
  console.log(`\n${section}`);
  missed ||= !figures.every(isMet);
  if (values.write) {
    await write(name, section);
  }
}
process.exit(missed ? 1 : 0);

function row(figure: Figure): string {
  const { name, value, unit, atMost, atLeast } = figure;
  const target = atMost !== undefined ? `≤ ${atMost}` : atLeast !== undefined ? `≥ ${atLeast}` : "";
  const verdict = isMet(figure) ? "" : ", **missed**";
  return `| ${name} | ${Number(value.toPrecision(4))} ${unit} | ${target}${verdict} |`;
}

/** Puts a benchmark's section into results.md, in place of its older one. */
async function write(name: string, section: string): Promise<void> {
  const sections = (await readFile(results, "utf8")).split(/\n(?=### )/);
  const parts = names.map((other) =>
    other === name ? section : sections.find((text) => text.includes(`npm run bench ${other}\``)),
  );
  const text = parts.flatMap((part) => (part === undefined ? [] : [part.trim()]));
  await writeFile(results, `${text.join("\n\n")}\n`);
}
