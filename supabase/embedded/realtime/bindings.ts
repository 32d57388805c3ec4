import { z } from "zod";
import { type ChangeType } from "./pgoutput.ts";

export const OPERATORS = {
  eq: "=",
  neq: "<>",
  lt: "<",
  lte: "<=",
  gt: ">",
  gte: ">=",
  in: "= any",
};
export type Operator = keyof typeof OPERATORS;

/** `column operator value`; for `in` the value is the text of a Postgres array. */
export interface Filter {
  column: string;
  operator: Operator;
  value: string;
  negate: boolean;
}

/** What one entry of a join asks for. `*` stands for every schema, table or event. */
export interface Binding {
  id: number;
  event: ChangeType | "*";
  schema: string;
  table: string;
  filters: Filter[];
  /** Columns to cut the rows down to; the primary key always comes along. */
  select: string[] | undefined;
}

// Postgres cannot store the rest.
const Text = z
  .string()
  .max(4_000)
  .refine((text) => text.isWellFormed() && !text.includes("\0"));
const Entry = z.object({
  event: Text.optional(),
  schema: Text.optional(),
  table: Text.optional(),
  filter: Text.nullish(),
  select: z.array(Text).max(1_600).nullish(),
});

/**
 * Reads one entry of `config.postgres_changes` (contract section 3), as
 * Subscriptions.parse_subscription_params of supabase/realtime does. Gives the text of the fault
 * for an entry that cannot be understood.
 */
export function parseBinding(id: number, entry: unknown): Binding | string {
  const read = Entry.safeParse(entry);
  if (!read.success || (read.data.schema === undefined && read.data.table === undefined)) {
    return "No subscription params provided. Please provide at least a `schema` or `table` to subscribe to";
  }
  const { event, schema = "public", table = "*", filter, select } = read.data;
  const filters = parseFilters(filter ?? "");
  if (typeof filters === "string") {
    return `Error parsing \`filter\` params: ${filters}`;
  }
  if (filters.length > 0 && read.data.table === undefined) {
    return "Error parsing `filter` params: a filter needs a `table`";
  }
  if (select?.length && (schema === "*" || table === "*")) {
    return "Column selection is not supported for wildcard subscriptions. Provide an explicit schema and table name.";
  }
  return {
    id,
    event: eventOf(event),
    schema,
    table,
    filters,
    select: select?.length ? [...new Set(select)].toSorted() : undefined,
  };
}

function eventOf(text = "*"): Binding["event"] {
  const upper = text.toUpperCase();
  return upper === "INSERT" || upper === "UPDATE" || upper === "DELETE" ? upper : "*";
}

/** Reads `col=eq.1,other=not.in.(a,b)`: all must hold. Gives the text of the fault otherwise. */
export function parseFilters(text: string): Filter[] | string {
  if (text.trim() === "") {
    return [];
  }
  const filters: Filter[] = [];
  for (const segment of splitTopLevel(text)) {
    const filter = parseFilter(segment.trim());
    if (typeof filter === "string") {
      return filter;
    }
    filters.push(filter);
  }
  return filters;
}

/** Splits at commas outside parentheses and outside quoted values. */
function splitTopLevel(text: string): string[] {
  const segments = [""];
  let depth = 0;
  let quoted = false;
  let escaped = false;
  let previous = "";
  for (const char of text) {
    const cut = char === "," && !quoted && depth === 0;
    if (cut) {
      segments.push("");
    } else {
      segments[segments.length - 1] += char;
    }
    if (quoted) {
      quoted = escaped || char !== '"';
      escaped = !escaped && char === "\\";
    } else if (char === '"') {
      quoted = ".(,".includes(previous);
    } else if (char === "(") {
      depth += 1;
    } else if (char === ")") {
      depth = Math.max(0, depth - 1);
    }
    previous = char;
  }
  return segments;
}

function parseFilter(segment: string): Filter | string {
  const match = /^([^=]+)=(not\.)?([a-z]+)\.(.*)$/s.exec(segment);
  if (!match) {
    return JSON.stringify([segment]);
  }
  const [, column = "", not, operator = "", value = ""] = match;
  if (!isOperator(operator)) {
    return JSON.stringify([operator, value]);
  }
  const negate = not !== undefined;
  if (operator !== "in") {
    return { column, operator, value: unquote(value), negate };
  }
  if (!/^\(.*\)$/s.test(value)) {
    return "`in` filter value must be wrapped by parentheses";
  }
  return { column, operator, value: `{${value.slice(1, -1)}}`, negate };
}

function isOperator(text: string): text is Operator {
  return Object.hasOwn(OPERATORS, text);
}

function unquote(value: string): string {
  const quoted = /^"((?:[^"\\]|\\.)*)"$/s.exec(value);
  return quoted?.[1] === undefined ? value : quoted[1].replaceAll(/\\(.)/gs, "$1");
}
