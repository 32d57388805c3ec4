import { readFile } from "node:fs/promises";
import postgres from "postgres";
import { z } from "zod";
import type { Database } from "#embedded/database.ts";
import { operators } from "./bindings.ts";
import type { Binding, VisibilityQuery, VisibilityResult } from "./types.ts";

export interface Checker {
  /** Runs a visibility query. Resolves to undefined if the table no longer exists. */
  check(query: VisibilityQuery): Promise<VisibilityResult | undefined>;
  subscriptionError(binding: Binding, role: string): Promise<string | undefined>;
  close(): Promise<void>;
}

const failedSchema = z.array(z.string());
const resultSchema: z.ZodType<VisibilityResult | null> = z
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
    filters: z.object({
      passed: z.array(z.array(z.array(z.number())).nullable()),
      failed: failedSchema,
    }),
    visibility: z.object({
      visible: z.array(z.array(z.number()).nullable()),
      failed: failedSchema,
    }),
  })
  .nullable();

const functionFiles = ["columns", "filters", "visibility", "check", "subscription"];

/** Opens a session that reads as the subscribers. Calls `onLost` when its connection is lost. */
export async function openChecker(database: Database, onLost: () => void): Promise<Checker> {
  const sql = postgres({
    ...database.connectionOptions("realtime_authenticator"),
    max: 1,
    fetch_types: false,
    idle_timeout: 0,
    max_lifetime: null,
    onclose: onLost,
    connection: { TimeZone: "UTC", DateStyle: "ISO, YMD", IntervalStyle: "postgres" },
  });
  try {
    for (const name of functionFiles) {
      await sql.unsafe(await readFile(new URL(`sql/${name}.sql`, import.meta.url), "utf8"));
    }
    // Policies can call any function, and a visibility check must not write.
    await sql`set default_transaction_read_only = on`;
  } catch (error) {
    await sql.end({ timeout: 0 });
    throw error;
  }
  let lastError: Promise<unknown> = Promise.resolve();
  return {
    async check({ relation, xids, versions, lookups, comparisons, subscribers }) {
      const query = {
        relation: relation.oid,
        xids,
        columns: relation.columns.map(({ name, type }) => ({ name, type })),
        versions: versions.map((version) => version.map((value) => value ?? null)),
        lookups,
        comparisons: comparisons.map(({ operator, ...rest }) => ({
          ...rest,
          operator: operators[operator],
          list: operator === "in",
        })),
        roles: [...new Set(subscribers.map(({ role }) => role))],
        subscribers,
      };
      const [row] = await sql`
        select pg_temp.realtime_check(${JSON.stringify(query)}::text::jsonb)::text as result`;
      return resultSchema.parse(JSON.parse(row?.["result"] ?? "null")) ?? undefined;
    },
    subscriptionError({ schema, table, filters, select }, role) {
      const conditions = filters.map(({ column, operator, value }) => ({
        column,
        operator: operators[operator],
        value,
      }));
      const ask = async () => {
        const [row] = await sql`
          select pg_temp.realtime_subscription_error(
            ${schema}, ${table}, ${role}, ${JSON.stringify(conditions)}::text::jsonb,
            ${select ? JSON.stringify(select) : null}::text::jsonb
          ) as error`;
        return row?.["error"] ?? undefined;
      };
      // One at a time, so that a visibility check waits for at most one join.
      const error = lastError.then(ask);
      lastError = error.catch(() => undefined);
      return error;
    },
    close: () => sql.end({ timeout: 0 }),
  };
}
