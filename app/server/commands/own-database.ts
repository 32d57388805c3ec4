import { Client, type ClientConfig } from "pg";
import { log } from "#app/lib/log.server.ts";
import { StartError } from "#app/lib/start-error.ts";
import { withEmbedded } from "#app/server/backend/with-embedded.ts";
import type { Env } from "#app/server/settings.ts";

interface OwnDatabase extends AsyncDisposable {
  /** Connected as role postgres, which owns the site's tables and is not a superuser. */
  client: Client;
  /** Names the secrets that seal its factors: the embedded one's keys, or the project. */
  keys: string;
  /** The text of keys.json; undefined for an outside Supabase. */
  keyFile: string | undefined;
}

/** Opens the site's database, embedded or outside. @throws {StartError} */
export async function openOwnDatabase(env: Env): Promise<OwnDatabase> {
  if (env.SUPABASE_URL) {
    const client = await connect(outsideLogin(env.SUPABASE_DB_URL));
    const keys = new URL(env.SUPABASE_URL).origin;
    return { client, keys, keyFile: undefined, [Symbol.asyncDispose]: () => client.end() };
  }
  const { login, close, ...keys } = await withEmbedded(
    import("embedded-supabase/maintenance"),
    ({ openDatabase }) => openDatabase(env.DATA_DIR, log),
  );
  const client = await connect(login).catch(async (error) => {
    // Otherwise its PostgreSQL would keep the process alive.
    await close();
    throw error;
  });
  return {
    client,
    ...keys,
    async [Symbol.asyncDispose]() {
      await client.end();
      await close();
    },
  };
}

/** Opens one connection. @throws {StartError} */
export async function connect(login: ClientConfig): Promise<Client> {
  const client = new Client(login);
  // A broken connection rejects its statements. Without a listener it would also end the process.
  client.on("error", () => undefined);
  await client.connect().catch((error: Error) => {
    const hint = error.message.includes("does not support SSL")
      ? ". Add ?sslmode=disable to SUPABASE_DB_URL, if the network is your own."
      : "";
    throw new StartError(`The database does not accept a connection: ${error.message}${hint}`);
  });
  return client;
}

function outsideLogin(url: string | undefined): ClientConfig {
  if (url === undefined) {
    throw new StartError(
      "Set SUPABASE_DB_URL to your project's connection string, as role postgres.",
    );
  }
  const address = new URL(url);
  if (!address.searchParams.has("sslmode")) {
    address.searchParams.set("sslmode", "require");
  }
  // With this, sslmode means what it means for psql. Otherwise pg takes "require" for "verify-full".
  address.searchParams.set("uselibpqcompat", "true");
  return { connectionString: address.href };
}
