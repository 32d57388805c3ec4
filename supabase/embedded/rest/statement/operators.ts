import { type Sql, sql } from "./sql.ts";

export interface Operator {
  sql: Sql;
  /** Accepts `(any)` and `(all)`. */
  isQuantifiable: boolean;
  /** `like`: `*` means `%`. `regex`: the length is bounded. */
  pattern?: "like" | "regex";
}

const plain = (text: Sql): Operator => ({ sql: text, isQuantifiable: false });
const quantifiable = (text: Sql, pattern?: Operator["pattern"]): Operator => ({
  sql: text,
  isQuantifiable: true,
  ...(pattern && { pattern }),
});

export const equal = quantifiable(sql`=`);

/** The operators that take a value. `in` and `is` have their own grammar. */
export const operators: ReadonlyMap<string, Operator> = new Map([
  ["eq", equal],
  ["neq", plain(sql`<>`)],
  ["gt", quantifiable(sql`>`)],
  ["gte", quantifiable(sql`>=`)],
  ["lt", quantifiable(sql`<`)],
  ["lte", quantifiable(sql`<=`)],
  ["like", quantifiable(sql`like`, "like")],
  ["ilike", quantifiable(sql`ilike`, "like")],
  ["match", quantifiable(sql`~`, "regex")],
  ["imatch", quantifiable(sql`~*`, "regex")],
  ["isdistinct", plain(sql`is distinct from`)],
  ["cs", plain(sql`@>`)],
  ["cd", plain(sql`<@`)],
  ["ov", plain(sql`&&`)],
  ["sl", plain(sql`<<`)],
  ["sr", plain(sql`>>`)],
  ["nxr", plain(sql`&<`)],
  ["nxl", plain(sql`&>`)],
  ["adj", plain(sql`-|-`)],
]);

/** Known, but not covered. */
export const fullTextOperators: ReadonlySet<string> = new Set(["fts", "plfts", "phfts", "wfts"]);

export const any = sql`any`;

export const quantifiers: ReadonlyMap<string, Sql> = new Map([
  ["any", any],
  ["all", sql`all`],
]);

/** The words after `is.`, case-insensitive. */
export const states: ReadonlyMap<string, Sql> = new Map([
  ["null", sql`is null`],
  ["not_null", sql`is not null`],
  ["true", sql`is true`],
  ["false", sql`is false`],
  ["unknown", sql`is unknown`],
]);

export const directions: ReadonlyMap<string, Sql> = new Map([
  ["asc", sql` asc`],
  ["desc", sql` desc`],
]);

export const nullsOrders: ReadonlyMap<string, Sql> = new Map([
  ["nullsfirst", sql` nulls first`],
  ["nullslast", sql` nulls last`],
]);

/** The types that `column::type` accepts. */
export const casts: ReadonlyMap<string, Sql> = new Map([
  ["text", sql`::text`],
  ["int2", sql`::int2`],
  ["smallint", sql`::int2`],
  ["int4", sql`::int4`],
  ["int", sql`::int4`],
  ["integer", sql`::int4`],
  ["int8", sql`::int8`],
  ["bigint", sql`::int8`],
  ["numeric", sql`::numeric`],
  ["float4", sql`::float4`],
  ["real", sql`::float4`],
  ["float8", sql`::float8`],
  ["bool", sql`::bool`],
  ["boolean", sql`::bool`],
  ["date", sql`::date`],
  ["time", sql`::time`],
  ["timestamp", sql`::timestamp`],
  ["timestamptz", sql`::timestamptz`],
  ["uuid", sql`::uuid`],
  ["json", sql`::json`],
  ["jsonb", sql`::jsonb`],
]);
