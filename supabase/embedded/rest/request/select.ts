import { notCovered, RestError } from "#embedded/rest/errors.ts";
import { casts } from "#embedded/rest/statement/operators.ts";
import type { Sql } from "#embedded/rest/statement/sql.ts";
import { takeColumn, takeName } from "./names.ts";
import { Scanner } from "./scanner.ts";

/** One entry of a select list. The alias is its key in the response. */
export interface SelectedColumn {
  column: string;
  alias?: string;
  cast?: Sql;
}

export type SelectItem = SelectedColumn | "*";

const isCastCharacter = (character: string) => /^[A-Za-z0-9_ $]$/.test(character);

/** Parses `select`. An empty list selects all columns. */
export function readSelect(text: string): SelectItem[] {
  if (text.trim() === "") {
    return ["*"];
  }
  const scanner = new Scanner("select parameter", text);
  const items: SelectItem[] = [];
  do {
    items.push(takeItem(scanner));
  } while (scanner.take(","));
  scanner.expectEnd(",");
  return items;
}

function takeItem(scanner: Scanner): SelectItem {
  scanner.skipSpaces();
  if (scanner.take("*")) {
    scanner.skipSpaces();
    return "*";
  }
  if (scanner.startsWith("...")) {
    throw notCovered("Embedding of other tables");
  }
  const first = takeColumn(scanner);
  const isAlias = scanner.startsWith(":") && !scanner.startsWith("::");
  if (isAlias) {
    scanner.take(":");
  }
  const column = isAlias ? takeColumn(scanner) : first;
  const selected = { column, ...(isAlias && { alias: first }) };
  refuseCalls(scanner, column);
  if (!scanner.take("::")) {
    return selected;
  }
  const type = scanner.takeWhile(isCastCharacter).trim();
  refuseCalls(scanner, column);
  return { ...selected, cast: castTo(type) };
}

function castTo(type: string): Sql {
  const cast = casts.get(type.toLowerCase());
  if (!cast) {
    throw new RestError(400, { code: "42704", message: `type "${type}" does not exist` });
  }
  return cast;
}

/** Throws for embedding (`orders(id)`, `orders!inner(id)`) and aggregates (`count()`). */
function refuseCalls(scanner: Scanner, column: string): void {
  const isMember = scanner.take(".");
  if (isMember) {
    takeName(scanner, "aggregate function");
  }
  if (scanner.startsWith("()") && (isMember || column === "count")) {
    throw new RestError(400, {
      code: "PGRST123",
      message: "Use of aggregate functions is not allowed",
    });
  }
  if (scanner.startsWith("(") || scanner.startsWith("!")) {
    throw notCovered("Embedding of other tables");
  }
  if (isMember) {
    scanner.fail('"()"');
  }
}
