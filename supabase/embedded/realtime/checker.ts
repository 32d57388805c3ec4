import { readFile } from "node:fs/promises";
import postgres from "postgres";
import { z } from "zod";
import { type Database } from "../database.ts";
import { type Binding, type Filter, type Operator, OPERATORS } from "./bindings.ts";
import { type Relation, type Row } from "./pgoutput.ts";

/** Subscribers that the database cannot tell apart. */
export interface Group {
  role: string;
  claims: string;
}

/** The values that subscribers compare one column with by one operator. */
export interface Comparison {
  column: number;
  operator: Operator;
  negate: boolean;
  values: string[];
}

export interface Question {
  relation: Relation;
  xids: number[];
  images: Row[];
  /** Indexes of the images that are rows now, to be looked up by primary key. */
  check: number[];
  comparisons: Comparison[];
  groups: Group[];
}

const Answer = z
  .object({
    secured: z.boolean(),
    keys: z.number(),
    columns: z.array(
      z.object({
        name: z.string(),
        type: z.string(),
        key: z.boolean().nullable(),
        readers: z.array(z.string()),
      }),
    ),
    values: z.array(z.array(z.string().nullable())),
    passed: z.array(z.array(z.array(z.number())).nullable()),
    visible: z.array(z.array(z.number()).nullable()),
    failed: z.array(z.string()),
  })
  .nullable();
/** As `checks.sql` describes it. */
export type Verdict = NonNullable<z.infer<typeof Answer>>;

export interface Checker {
  /** Gives undefined when the table no longer exists. */
  check(question: Question): Promise<Verdict | undefined>;
  /** The reason why a role cannot have a subscription, or undefined. */
  fault(binding: Binding, role: string): Promise<string | undefined>;
  close(): Promise<void>;
}

/**
 * Opens the session that looks at rows with the eyes of subscribers. Its functions are its own
 * and gone when the connection ends, which `onLost` tells; another one has to be opened then.
 */
export async function openChecker(database: Database, onLost: () => void): Promise<Checker> {
  const sql = postgres({
    ...database.connectionOptions("authenticator"),
    max: 1,
    fetch_types: false,
    idle_timeout: 0,
    max_lifetime: null,
    onclose: onLost,
    connection: { TimeZone: "UTC", DateStyle: "ISO, YMD", IntervalStyle: "postgres" },
  });
  try {
    for (const file of ["checks.sql", "faults.sql"]) {
      await sql.unsafe(await readFile(new URL(file, import.meta.url), "utf8"));
    }
    // A policy may call anything; reading must not change anything.
    await sql`set default_transaction_read_only = on`;
  } catch (error) {
    await sql.end({ timeout: 0 });
    throw error;
  }
  let faults: Promise<unknown> = Promise.resolve();
  return {
    async check({ relation, xids, images, check, comparisons, groups }) {
      const batch = {
        relation: relation.oid,
        xids,
        columns: relation.columns.map(({ name, type }) => ({ name, type })),
        images: images.map((row) => row.map((value) => value ?? null)),
        check,
        filters: comparisons.map(({ operator, ...rest }) => ({
          ...rest,
          operator: OPERATORS[operator],
          list: operator === "in",
        })),
        roles: [...new Set(groups.map(({ role }) => role))],
        groups,
      };
      const [row] = await sql`
        select pg_temp.realtime_check(${JSON.stringify(batch)}::text::jsonb)::text as answer`;
      return Answer.parse(JSON.parse(row?.["answer"] ?? "null")) ?? undefined;
    },
    fault({ schema, table, filters, select }, role) {
      const ask = async () => {
        const [row] = await sql`
          select pg_temp.realtime_fault(
            ${schema}, ${table}, ${role}, ${JSON.stringify(filters.map(toSql))}::text::jsonb,
            ${select ? JSON.stringify(select) : null}::text::jsonb
          ) as fault`;
        return row?.["fault"] ?? undefined;
      };
      // One by one, so that a check waits for one of them and not for all who join.
      const answer = faults.then(ask);
      faults = answer.catch(() => undefined);
      return answer;
    },
    close: () => sql.end({ timeout: 0 }),
  };
}

function toSql({ column, operator, value }: Filter) {
  return { column, operator: OPERATORS[operator], value };
}
