import { z } from "zod";
import type { Binding, Filter, Operator } from "./types.ts";

export const operators: Record<Operator, string> = {
  eq: "=",
  neq: "<>",
  lt: "<",
  lte: "<=",
  gt: ">",
  gte: ">=",
  in: "= any",
};

// PostgreSQL's text can contain neither lone surrogates nor NUL.
const textSchema = z
  .string()
  .max(4_000)
  .refine((text) => text.isWellFormed() && !text.includes("\0"));
const entrySchema = z.object({
  event: textSchema.optional(),
  schema: textSchema.optional(),
  table: textSchema.optional(),
  filter: textSchema.nullish(),
  select: z.array(textSchema).max(1_600).nullish(),
});

/** Parses an entry of `postgres_changes`, or returns an error text (CONTRACT.md, "Join"). */
export function parseBinding(id: number, entry: unknown): Binding | string {
  const parsed = entrySchema.safeParse(entry);
  if (!parsed.success || (parsed.data.schema === undefined && parsed.data.table === undefined)) {
    return "No subscription params provided. Please provide at least a `schema` or `table` to subscribe to";
  }
  const { event, schema = "public", table = "*", filter, select } = parsed.data;
  const filters = parseFilters(filter ?? "");
  if (typeof filters === "string") {
    return `Error parsing \`filter\` params: ${filters}`;
  }
  if (filters.length > 0 && parsed.data.table === undefined) {
    return "Error parsing `filter` params: a filter needs a `table`";
  }
  if (select?.length && (schema === "*" || table === "*")) {
    return "Column selection is not supported for wildcard subscriptions. Provide an explicit schema and table name.";
  }
  return {
    id,
    event: parseEvent(event),
    schema,
    table,
    filters,
    select: select?.length ? [...new Set(select)].toSorted() : undefined,
  };
}

function parseEvent(text = "*"): Binding["event"] {
  const upper = text.toUpperCase();
  return upper === "INSERT" || upper === "UPDATE" || upper === "DELETE" ? upper : "*";
}

/** Parses `col=eq.1,other=not.in.(a,b)` in linear time, or returns an error text. */
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

/** Splits at commas outside parentheses and quoted values. */
function splitTopLevel(text: string): string[] {
  const segments = [""];
  let depth = 0;
  let quoted = false;
  let escaped = false;
  let previous = "";
  for (const char of text) {
    if (char === "," && !quoted && depth === 0) {
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
  return Object.hasOwn(operators, text);
}

function unquote(value: string): string {
  const quoted = /^"((?:[^"\\]|\\.)*)"$/s.exec(value);
  return quoted?.[1] === undefined ? value : quoted[1].replaceAll(/\\(.)/gs, "$1");
}
