import type { Column } from "#embedded/rest/catalog.ts";
import { tooMuch } from "#embedded/rest/errors.ts";
import { bounds } from "#embedded/rest/request/bounds.ts";
import type { Media } from "#embedded/rest/request/media.ts";
import type { SelectedColumn, SelectItem } from "#embedded/rest/request/select.ts";
import { columnOf, reference, type Relation } from "./relation.ts";
import { fromCatalog, join, ordinal, parameter, type Sql, sql } from "./sql.ts";

interface Field {
  column: Column;
  /** The key in the response, which the request can choose. */
  alias?: string;
  cast?: Sql;
}

/** The selected fields: `list` selects them from `t`, `item` is a row of `s` as JSON. */
export interface Output {
  /** The columns that `list` reads. */
  columns: Column[];
  /** The keys in the response. */
  names: string[];
  list: Sql;
  item: Sql;
}

/** Returns the selected columns. Throws RestError for unknown columns and for too many. */
export function selected(relation: Relation, items: readonly SelectItem[]): Output {
  const fields: Field[] = [];
  for (const item of items) {
    const added =
      item === "*" ? Array.from(relation.columns.values(), asIs) : [fieldOf(relation, item)];
    // A single `*` has no bound: the table limits it.
    if (fields.length > 0 && fields.length + added.length > bounds.selected) {
      throw tooMuch(`A request selects ${bounds.selected} columns at most`);
    }
    fields.push(...added);
  }
  refuseRepeated(fields);
  const isRenamed = fields.some(({ alias }) => alias !== undefined);
  const list = fields.map(({ column, cast }, index) => {
    const name = isRenamed ? position(index) : fromCatalog(column.sql);
    return sql`${reference(column)}${cast ?? sql``} as ${name}`;
  });
  return {
    columns: fields.map(({ column }) => column),
    names: fields.map(nameOf),
    list: join(list, sql`, `),
    item: isRenamed ? renamedItem(fields) : sql`s.*`,
  };
}

/** Without this a few rows with long texts could make a response of a gigabyte. */
function refuseRepeated(fields: readonly Field[]): void {
  const times = new Map<Column, number>();
  for (const { column } of fields) {
    times.set(column, (times.get(column) ?? 0) + 1);
  }
  if (Math.max(0, ...times.values()) > bounds.sameColumn) {
    throw tooMuch(`A request selects a column ${bounds.sameColumn} times at most`);
  }
}

/** Returns the columns as text, in a JSON array. */
export function keyTexts(columns: readonly Column[]): Output {
  const texts = columns.map((column) => sql`s.${fromCatalog(column.sql)}::text`);
  return {
    columns: [...columns],
    names: columns.map(({ name }) => name),
    list: join(columns.map(reference), sql`, `),
    item: sql`json_build_array(${join(texts, sql`, `)})`,
  };
}

/** The result of a function that returns single values. */
export const singleValue: Output = {
  columns: [],
  names: ["value"],
  list: sql`t.value`,
  item: sql`s.value`,
};

/** Returns no fields. */
export const nothing: Output = { columns: [], names: [], list: sql``, item: sql`null` };

const asIs = (column: Column): Field => ({ column });
const fieldOf = (relation: Relation, item: SelectedColumn): Field => ({
  ...item,
  column: columnOf(relation, item.column),
});
const nameOf = ({ column, alias }: Field) => alias ?? column.name;
const position = (index: number) => sql`c${ordinal(index + 1)}`;

/** Keys chosen by the request are parameters, so `json_object_agg` builds the object. */
function renamedItem(fields: readonly Field[]): Sql {
  const pairs = fields.map(
    (field, index) => sql`(${parameter(nameOf(field))}::text, to_json(s.${position(index)}))`,
  );
  return sql`(select json_object_agg(o.k, o.v) from (values ${join(pairs, sql`, `)}) o(k, v))`;
}

/** Builds the response body from the rows of `s`, in the database. */
export function rowsBody({ item }: Output, media: Media, isSingle: boolean): Sql {
  if (media.form === "csv") {
    return sql`string_agg(substr((s.*)::text, 2, length((s.*)::text) - 2), E'\n')`;
  }
  const rows = isSingle ? sql`json_agg(${item}) -> 0` : sql`coalesce(json_agg(${item}), '[]')`;
  return media.stripsNulls ? sql`json_strip_nulls(${rows})::text` : sql`(${rows})::text`;
}

/** Builds the single result row of every statement (`Row` in execute.ts). */
export function answer(tables: Sql, { body: shown, total, isNew }: Answer): Sql {
  return sql`with ${tables} select ${shown} as body, count(*) as shown, ${total} as total,
    ${isNew} as is_new, current_setting('response.status', true) as status,
    current_setting('response.headers', true) as headers from shown s`;
}

interface Answer {
  body: Sql;
  total: Sql;
  isNew: Sql;
}
