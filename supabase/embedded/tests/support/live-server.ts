import { randomUUID } from "node:crypto";
import { loadKeys } from "#embedded/keys.ts";
import { createLive } from "#embedded/live/index.ts";
import { signAccessToken } from "#embedded/tokens.ts";
import { startDatabase } from "./database.ts";
import { tempFolder } from "./folder.ts";
import { recordingLog } from "./log.ts";
import { migrationsDir } from "./notes-site.ts";

export type LiveServer = Awaited<ReturnType<typeof startLiveServer>>;

/** Starts only the live updates, on their own database, to which the test has access. */
export async function startLiveServer() {
  const lines: string[] = [];
  const held = new AsyncDisposableStack();
  const folder = held.use(await tempFolder());
  const started = await startDatabase(folder.path, migrationsDir);
  const { cluster, database, dataDir, sql, superuser, close } = started;
  held.defer(close);
  await sql.script(
    "create policy everybody on public.notes for select to authenticated using (true)",
  );
  const keys = await loadKeys(dataDir);
  const live = await createLive({ cluster, database, keys, log: recordingLog(lines) });
  held.defer(() => live.close());

  /** Creates an account with a session. Returns its access token. `claims` override the default ones. */
  async function signIn(claims: Record<string, unknown> & { exp?: number } = {}): Promise<string> {
    const sub = randomUUID();
    const sessionId = randomUUID();
    await database.auth`insert into auth.users (id, email) values (${sub}, ${`${sub}@example.org`})`;
    await database.auth`insert into auth.sessions (id, user_id) values (${sessionId}, ${sub})`;
    const now = Math.floor(Date.now() / 1000);
    return signAccessToken(keys, {
      aud: "authenticated",
      role: "authenticated",
      iat: now,
      exp: now + 3600,
      sub,
      session_id: sessionId,
      aal: "aal1",
      ...claims,
    });
  }

  /** Listens with a token. Collects the rows, undefined for a reload, and "ended". */
  async function listen(token: string) {
    const heard: (Record<string, unknown> | "ended" | undefined)[] = [];
    const stop = await live.listen(token, {
      onInsert: (row) => void heard.push(row as Record<string, unknown>),
      onChange: () => void heard.push(undefined),
      onEnd: () => void heard.push("ended"),
    });
    const texts = () => heard.map((each) => (typeof each === "object" ? each["text"] : each));
    return { heard, texts, stop };
  }

  return {
    /** Connects as role postgres. */
    sql,
    superuser,
    dataDir,
    login: database.login,
    signIn,
    listen,
    isConnected: live.isConnected,
    /** The log of the live updates. */
    lines,
    store: (text: string) => sql`insert into notes (text) values (${text})`,
    close: () => held.disposeAsync(),
  };
}
