import { mkdir, readFile, writeFile } from "node:fs/promises";
import { isMet, machine, type Outcome } from "./measure.ts";

/**
 * `npm run bench`: runs all benchmarks, or those named as arguments, one after the other. Stores
 * each result; results.md shows the latest. Exits with 1 if a figure exceeds its budget.
 */
const names = ["weight", "lighthouse", "load", "rendered", "growth", "live", "rest", "start"];
const results = new URL("results/", import.meta.url);
const chosen = process.argv.slice(2);
const unknown = chosen.filter((name) => !names.includes(name));
if (unknown.length > 0) {
  console.error(`Unknown benchmark ${unknown.join(", ")}. Known: ${names.join(", ")}.`);
  process.exit(2);
}

await mkdir(results, { recursive: true });
let missed = false;
for (const name of chosen.length > 0 ? chosen : names) {
  console.log(`\n# ${name}`);
  const { default: measure }: { default: () => Promise<Outcome> } = await import(`./${name}.ts`);
  const outcome = await measure();
  console.log(markdown(outcome));
  missed ||= !outcome.budgets.every(isMet);
  const record = { date: new Date().toISOString().slice(0, 10), machine: machine(), ...outcome };
  await writeFile(new URL(`${name}.json`, results), `${JSON.stringify(record, undefined, 2)}\n`);
}
await writeFile(new URL("results.md", import.meta.url), await summary());
process.exit(missed ? 1 : 0);

async function summary(): Promise<string> {
  const parts: string[] = [];
  for (const name of names) {
    const text = await readFile(new URL(`${name}.json`, results), "utf8").catch(() => undefined);
    if (text === undefined) {
      continue;
    }
    const record: Outcome & { date: string; machine: ReturnType<typeof machine> } =
      JSON.parse(text);
    const { cpu, cores, memory, system, node, versions } = record.machine;
    const packages = Object.entries(versions).map(([of, version]) => `${of} ${version}`);
    parts.push(
      `### ${record.title}`,
      markdown(record),
      `\`npm run bench ${name}\`, ${record.date}, ${cores} cores of ${cpu}, ${memory}, ${system}, Node ${node}; ${packages.join(", ")}.`,
    );
  }
  return `${parts.join("\n\n")}\n`;
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
