import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { disconnect } from "#embedded/sql.ts";
import { reason } from "./start-error.ts";
import { type SuperuserAccess, superuserLogin } from "./superuser.ts";

/** SQLSTATE cannot_connect_now: starting, recovering from a crash or shutting down. */
export const cannotConnectNow = "57P03";

/** Tries a new superuser connection. Returns undefined, or the fault: a code or a sentence. */
export async function probe(
  access: SuperuserAccess,
  deadline: number,
): Promise<string | undefined> {
  const client = new Client(superuserLogin(access));
  client.on("error", () => undefined);
  const silence = new AbortController();
  const answer = client
    .connect()
    .then(() => client.query("select 1"))
    .then(
      () => undefined,
      (error: unknown) => (error as { code?: string }).code ?? reason(error),
    );
  const late = sleep(deadline, `no answer in ${deadline / 1000} s`, { signal: silence.signal });
  try {
    return await Promise.race([answer, late]);
  } finally {
    silence.abort();
    late.catch(() => undefined);
    disconnect(client);
  }
}
