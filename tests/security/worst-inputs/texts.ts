import type { RunningSite } from "#tests/support/site.ts";
import type { Visitor } from "#tests/support/visitor.ts";

/** An input that is as expensive as its size allows. */
export interface WorstInput {
  name: string;
  send(): Promise<unknown>;
}

export interface Target {
  site: RunningSite;
  /** Signed in. */
  account: Visitor;
}

export const kilobyte = 1024;

/** Texts of that many bytes on which some code may be slow. */
export function worstTexts(bytes: number): [what: string, text: string][] {
  const fill = (unit: string) => unit.repeat(Math.floor(bytes / Buffer.byteLength(unit)));
  return [
    ["marks on one letter", `a${fill("\u0301\u0316")}`],
    ["parts of Korean letters", fill("\u1100\u1161\u11A8")],
    ["blanks", `a${fill(" ")}a`],
    ["half an address", `a@${fill("a.")}`],
    ["percent signs", fill("%")],
    ["digits and blanks", fill("05 ٠٥ ")],
  ];
}
