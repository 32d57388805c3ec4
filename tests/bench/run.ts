import { readFile, writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { isMet, machine, type Outcome } from "./measure.ts";

/**
 * `npm run bench`: runs all benchmarks, or those named as arguments, one after the other. With
 * `-- --write`, results.md gets what they measured. Exits with 1 if a figure exceeds its budget.
 */
const names = ["weight", "lighthouse", "load", "rendered", "growth", "live", "rest", "start"];
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
  const outcome = await measure();
  const section = [`### ${outcome.title}`, markdown(outcome), source(name)].join("\n\n");
  console.log(`\n${section}`);
  missed ||= !outcome.budgets.every(isMet);
  if (values.write) {
    await write(name, section);
  }
}
process.exit(missed ? 1 : 0);

/** Returns the line below a section: how, when and where it was measured. */
function source(name: string): string {
  const { cpu, cores, memory, system, node, versions } = machine();
  const packages = Object.entries(versions).map(([of, version]) => `${of} ${version}`);
  const date = new Date().toISOString().slice(0, 10);
  return `\`npm run bench ${name}\`, ${date}, ${cores} cores of ${cpu}, ${memory}, ${system}, Node ${node}; ${packages.join(", ")}.`;
}

/** Puts a benchmark's section into results.md, in place of its older one. */
async function write(name: string, section: string): Promise<void> {
  const sections = (await readFile(results, "utf8")).split(/\n(?=### )/);
  const parts = names.map((other) =>
    other === name
      ? section
      : (sections.find((text) => text.includes(`\`npm run bench ${other}\``)) ?? ""),
  );
  const text = parts.map((part) => part.trim()).filter(Boolean);
  await writeFile(results, `${text.join("\n\n")}\n`);
}

function markdown({ note, rows, budgets }: Outcome): string {
  const columns = Object.keys(rows[0] ?? {});
  const table = [
    line(columns),
    line(columns.map(() => "---")),
    ...rows.map((row) => line(columns.map((column) => row[column] ?? ""))),
  ];
  const verdicts = budgets.map((budget) => {
    const { name, measured, limit, unit } = budget;
    const asked = "atMost" in limit ? `at most ${limit.atMost}` : `at least ${limit.atLeast}`;
    const verdict = isMet(budget) ? "met" : "**missed**";
    return `- ${name}: ${Number(measured.toPrecision(4))} ${unit}, asked ${asked}: ${verdict}`;
  });
  return [table.join("\n"), note, verdicts.join("\n")].filter(Boolean).join("\n\n");
}

function line(cells: string[]): string {
  return `| ${cells.join(" | ")} |`;
}
