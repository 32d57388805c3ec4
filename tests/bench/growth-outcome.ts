import { type Exported, exportBudget, exportNote } from "./growth-export.ts";
import { type Insertion, insertBudget, insertNote } from "./growth-inserts.ts";
import { milliseconds, type Outcome } from "./measure.ts";

export interface Result {
  name: string;
  small: number;
  large: number;
}

interface Growth {
  repeats: number;
  results: Result[];
  /** Blocks read by each search. */
  blocks: Record<string, number>;
  exported: Exported;
  inserts: Insertion;
}

export function growthOutcome(growth: Growth): Outcome {
  const { repeats, results, blocks, exported, inserts } = growth;
  const reads = Object.values(blocks).join(", ");
  return {
    title: "Inbox of 1,000 and of 1,000,000 messages",
    note: `Medians of ${repeats} alternating requests each. The deep page starts at 70 % of the list. A search reads ${reads} blocks of 8 kB at a million. ${exportNote(exported)} ${insertNote(inserts)}`,
    rows: results.map((result) => ({
      page: result.name,
      "1,000": milliseconds(result.small),
      "1,000,000": milliseconds(result.large),
      ratio: (result.large / result.small).toFixed(2),
    })),
    budgets: [
      ...results
        .filter(({ name }) => !name.startsWith("search"))
        .map((result) => ({
          name: result.name,
          measured: result.large / result.small,
          limit: { atMost: 1.3 },
          unit: "times",
        })),
      ...results
        .filter(({ name }) => name.startsWith("search"))
        .map(({ name, large: measured }) => ({
          name,
          measured,
          limit: { atMost: 100 },
          unit: "ms",
        })),
      ...Object.entries(blocks).map(([name, measured]) => ({
        name: `search, ${name} word`,
        measured,
        limit: { atMost: 2000 },
        unit: "blocks",
      })),
      exportBudget(exported),
      insertBudget(inserts),
    ],
  };
}
