import { part, type Part, rawPart } from "embedded-supabase/testing";

const joined = (parts: Part[]) => parts.reduce((all, next) => part`${all}, ${next}`);

/** The columns and values of rows with the same columns, as `insert into …` takes them. */
export function valuesOf(...rows: object[]): Part {
  const columns = rawPart(Object.keys(rows[0] ?? {}).join(", "));
  const lists = rows.map((row) => joined(Object.values(row).map((value) => part`${value}`)));
  return part`(${columns}) values ${joined(lists.map((list) => part`(${list})`))}`;
}
