import { Client } from "pg";
import { disconnect } from "#embedded/sql.ts";
import { reason } from "./engine-error.ts";
import { type SuperuserAccess, superuserLogin } from "./superuser.ts";

/** SQLSTATE cannot_connect_now: starting, recovering from a crash or shutting down. */
export const cannotConnectNow = "57P03";

/**
 * Tries a new superuser connection, whose sign-in reads the catalog. Returns undefined, or the
 * fault: a code or a sentence.
 */
export async function probe(
  access: SuperuserAccess,
  deadline: number,
): Promise<string | undefined> {
  const client = new Client({ ...superuserLogin(access), connectionTimeoutMillis: deadline });
  client.on("error", () => undefined);
  try {
    await client.connect();
    return undefined;
  } catch (error) {
    return (error as { code?: string }).code ?? reason(error);
  } finally {
    disconnect(client);
  }
}
