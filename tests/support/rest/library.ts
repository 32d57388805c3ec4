import { createClient } from "@supabase/supabase-js";
import { loadKeys } from "#embedded/keys.ts";
import { signAccessToken } from "#embedded/tokens.ts";
import { startTestServer } from "#tests/support/embedded-server.ts";
import { recordingLog } from "#tests/support/log.ts";

const migrationsDir = new URL("migrations", import.meta.url).pathname;

/** Any table and function. The version enables the client's methods for PostgREST 13. */
interface AnyDatabase {
  __InternalSupabase: { PostgrestVersion: "14" };
  public: {
    // oxlint-disable typescript/no-explicit-any
    Tables: Record<string, { Row: any; Insert: any; Update: any; Relationships: [] }>;
    Views: Record<string, never>;
    Functions: Record<string, { Args: any; Returns: any }>;
    // oxlint-enable typescript/no-explicit-any
  };
}

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  // Tests read arbitrary members.
  // oxlint-disable-next-line typescript/no-explicit-any
  json: any;
}

export interface Ask {
  method?: string;
  headers?: Record<string, string>;
  /** Sent as JSON unless it is a string. */
  body?: unknown;
  /** Defaults to the publishable key. */
  key?: string;
  token?: string;
}

/** Starts the REST layer over HTTP with the tables and functions of support/rest/migrations. */
export async function startLibrary() {
  const logged: string[] = [];
  const server = await startTestServer({ migrationsDir, log: recordingLog(logged) });
  const keys = await loadKeys(server.dataDir);

  async function ask(path: string, options: Ask = {}): Promise<Answer> {
    const { method = "GET", headers = {}, body, key = server.publishableKey, token } = options;
    const response = await fetch(`${server.url}/rest/v1${path}`, {
      method,
      headers: {
        apikey: key,
        ...(token && { Authorization: `Bearer ${token}` }),
        ...(body !== undefined && { "Content-Type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.includes("json");
    const json: unknown = isJson && text ? JSON.parse(text) : undefined;
    return { status: response.status, headers: response.headers, text, json };
  }

  return {
    ...server,
    logged,
    ask,
    /** Inserts rows. Throws if they are rejected. */
    async insert(table: string, rows: object, key = server.publishableKey): Promise<void> {
      const answer = await ask(`/${table}`, { method: "POST", body: rows, key });
      if (answer.status !== 201) {
        throw new Error(`The rows were refused: ${answer.text}`);
      }
    },
    /** Creates a client, by default with the publishable key. */
    client: (key = server.publishableKey, token?: string) =>
      createClient<AnyDatabase>(server.url, key, {
        auth: { persistSession: false },
        ...(token && { accessToken: async () => token }),
      }),
    sign: (claims: { role: string; sub?: string }) =>
      signAccessToken(keys, { ...claims, exp: Math.floor(Date.now() / 1000) + 60 }),
  };
}

export type Library = Awaited<ReturnType<typeof startLibrary>>;
