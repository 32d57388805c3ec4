import { PostgresConnection } from "@supabase/lite/postgres";
import type { ConnectionContextOptions, IntrospectResult, VarsContext } from "@supabase/lite";

import type { PostgresType } from "postgres";

import type { Database } from "../database.ts";
import { requestContext, type RequestContext } from "./context.ts";
import { readableFault } from "./faults.ts";

/** A timestamp from Postgres' text form to the ISO 8601 of its to_json, which PostgREST gives. */
const isoTimestamp = (oid: number): PostgresType<string> => ({
  to: oid,
  from: [oid],
  serialize: String,
  parse: (text: string) => text.replace(" ", "T").replace(/([+-]\d\d)$/, "$1:00"),
});

type Run<T> = Parameters<PostgresConnection["withContext"]>[1] extends (db: infer Db) => unknown
  ? (db: Db) => Promise<T>
  : never;

/**
 * Lite's connection as authenticator, with what it does otherwise replaced where it would break
 * the site's promises: its own withContext first grants everything on every table to the API
 * roles, needs eight round trips, and tells SQL about headers only in functions.
 */
export class RestConnection extends PostgresConnection {
  readonly #schema: IntrospectResult;

  constructor(database: Database, schema: IntrospectResult) {
    super({
      postgresOptions: {
        ...database.connectionOptions("authenticator"),
        max: 16,
        idle_timeout: 60,
        types: { timestamp: isoTimestamp(1114), timestamptz: isoTimestamp(1184) },
      },
    });
    this.#schema = schema;
  }

  /** What `readSchema` found at the start: authenticator itself sees no table in the catalog. */
  override introspect(): Promise<IntrospectResult> {
    return Promise.resolve(this.#schema);
  }

  /** One transaction per request under the role, claims and headers of that request. */
  override withContext<T>(
    _vars: VarsContext | undefined,
    run: Run<T>,
    options?: ConnectionContextOptions,
  ): Promise<T> {
    const context = requestContext.getStore();
    if (!context) {
      throw new Error("A statement of the REST layer has no request");
    }
    const settings = sqlSettings(context, options?.rpc?.readOnly === true);
    return this.kysely.transaction().execute(async (transaction) => {
      await transaction
        .selectNoFrom((eb) =>
          Object.entries(settings).map(([name, value], index) =>
            eb.fn("set_config", [eb.val(name), eb.val(value), eb.val(true)]).as(`s${index}`),
          ),
        )
        .execute();
      return run(transaction);
    });
  }

  /** Lite prints what it gets from here, and answers 500 to the codes that it does not know. */
  override normalizeDbError(error: unknown): unknown {
    return readableFault(error);
  }
}

function sqlSettings(context: RequestContext, readOnly: boolean): Record<string, string> {
  return {
    role: context.claims.role,
    "request.jwt.claims": JSON.stringify(context.claims),
    "request.method": context.method,
    "request.path": context.path,
    "request.headers": JSON.stringify(context.headers),
    "response.status": "",
    "response.headers": "",
    ...(readOnly && { transaction_read_only: "on" }),
  };
}

/**
 * Reads the catalog once, as the role that owns the site's tables. The schema cannot change
 * while the site runs: migrations have run. Rejects when the catalog cannot be read.
 */
export async function readSchema(database: Database): Promise<IntrospectResult> {
  const owner = new PostgresConnection({
    postgresOptions: { ...database.connectionOptions("postgres"), max: 1 },
  });
  try {
    const schema = await owner.introspect();
    // On failure lite gives an empty catalog in place of an error.
    if (!schema.functions) {
      throw new Error("The catalog could not be read");
    }
    return schema;
  } finally {
    await owner.close();
  }
}
