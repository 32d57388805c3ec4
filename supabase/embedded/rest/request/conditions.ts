import { notCovered, tooMuch } from "#embedded/rest/errors.ts";
import {
  any,
  equal,
  fullTextOperators,
  type Operator,
  operators,
  quantifiers,
  states,
} from "#embedded/rest/statement/operators.ts";
import type { Sql } from "#embedded/rest/statement/sql.ts";
import { bounds } from "./bounds.ts";
import { takeColumn } from "./names.ts";
import { Scanner } from "./scanner.ts";
import { arrayLiteral, takeGroupValue, takeList } from "./values.ts";

export interface Comparison {
  column: string;
  isNegated: boolean;
  operator: Operator;
  quantifier?: Sql;
  value: string;
}

export interface StateTest {
  column: string;
  isNegated: boolean;
  state: Sql;
}

export interface Group {
  joiner: "and" | "or";
  isNegated: boolean;
  members: Condition[];
}

export type Condition = Comparison | StateTest | Group;

type Test = Omit<Comparison, "column"> | Omit<StateTest, "column">;

const isWordCharacter = (character: string) => /^[a-z]$/.test(character);
const isStateCharacter = (character: string) => /^[A-Za-z_]$/.test(character);
const groupWords = ["not.and", "not.or", "and", "or"] as const;

/** Parses `[not.]operator[(any|all)].value`, a filter on `column`. */
export function readComparison(column: string, text: string): Condition {
  const scanner = new Scanner("filter", text);
  const test = takeTest(scanner, (inner) => inner.takeRest());
  scanner.expectEnd();
  return { column, ...test };
}

/** Parses the members of a group, as in `or=(a.eq.1,and(b.gt.2,c.lt.3))`. */
export function readGroup(joiner: Group["joiner"], isNegated: boolean, text: string): Group {
  const scanner = new Scanner("logic tree", text);
  scanner.skipSpaces();
  const group: Group = { joiner, isNegated, members: takeMembers(scanner, 1) };
  scanner.expectEnd();
  return group;
}

function takeMembers(scanner: Scanner, depth: number): Condition[] {
  if (depth > bounds.groupDepth) {
    throw tooMuch(`Groups can be nested ${bounds.groupDepth} deep at most`);
  }
  scanner.expect("(");
  const members: Condition[] = [];
  do {
    scanner.skipSpaces();
    members.push(takeMember(scanner, depth));
    scanner.skipSpaces();
  } while (scanner.take(","));
  scanner.expect(")");
  scanner.skipSpaces();
  return members;
}

function takeMember(scanner: Scanner, depth: number): Condition {
  const start = scanner.position;
  for (const word of groupWords) {
    if (scanner.take(word)) {
      scanner.skipSpaces();
      if (scanner.startsWith("(")) {
        const joiner = word.endsWith("and") ? "and" : "or";
        const isNegated = word.startsWith("not.");
        return { joiner, isNegated, members: takeMembers(scanner, depth + 1) };
      }
      scanner.position = start;
    }
  }
  const column = takeColumn(scanner);
  scanner.expect(".");
  return { column, ...takeTest(scanner, takeGroupValue) };
}

function takeTest(scanner: Scanner, takeValue: (scanner: Scanner) => string): Test {
  const isNegated = scanner.take("not.");
  const start = scanner.position;
  const word = scanner.takeWhile(isWordCharacter);
  if (word === "is") {
    scanner.expect(".");
    return { isNegated, state: takeState(scanner) };
  }
  if (word === "in") {
    scanner.expect(".");
    const value = arrayLiteral(takeList(scanner));
    return { isNegated, operator: equal, quantifier: any, value };
  }
  const operator = operators.get(word);
  if (!operator) {
    scanner.position = start;
    return refuseOperator(scanner, word);
  }
  const quantifier = operator.isQuantifiable ? takeQuantifier(scanner) : undefined;
  scanner.expect(".");
  const value = writtenValue(operator, takeValue(scanner));
  return { isNegated, operator, value, ...(quantifier && { quantifier }) };
}

function refuseOperator(scanner: Scanner, word: string): never {
  if (fullTextOperators.has(word)) {
    throw notCovered("Full-text search");
  }
  scanner.fail('"not" or operator (eq, gt, ...)');
}

function takeQuantifier(scanner: Scanner): Sql | undefined {
  for (const [word, quantifier] of quantifiers) {
    if (scanner.take(`(${word})`)) {
      return quantifier;
    }
  }
  return undefined;
}

function takeState(scanner: Scanner): Sql {
  const start = scanner.position;
  const state = states.get(scanner.takeWhile(isStateCharacter).toLowerCase());
  if (!state) {
    scanner.position = start;
    scanner.fail("null, not_null, true, false or unknown");
  }
  return state;
}

function writtenValue({ pattern }: Operator, value: string): string {
  if (pattern === "like") {
    return value.replaceAll("*", "%");
  }
  // Even short regular expressions can take much time and memory.
  if (pattern === "regex" && value.length > bounds.regexLength) {
    throw tooMuch(`A regular expression has ${bounds.regexLength} characters at most`);
  }
  return value;
}
