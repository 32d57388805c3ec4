import { randomUUID } from "node:crypto";
import { createClient } from "@supabase/supabase-js";
import { noLimits } from "embedded-supabase/testing";
import type { Database } from "#supabase/database.types.ts";
import { startTestServer } from "./embedded-server.ts";
import { secretKey } from "./keys.ts";

const password = "a long password";

/**
 * Opens the Supabase whose answers the tests of the list (app/supabase-calls.ts) check: the
 * embedded one, or a real one that has the site's migrations if SUPABASE_TEST_URL,
 * SUPABASE_TEST_PUBLISHABLE_KEY and SUPABASE_TEST_SECRET_KEY are set. So the same tests show that
 * both answer alike. The secret key makes accounts, and is the site's.
 */
export async function openListed() {
  const {
    SUPABASE_TEST_URL: outside,
    SUPABASE_TEST_PUBLISHABLE_KEY: outsideKey = "",
    SUPABASE_TEST_SECRET_KEY: outsideSecret = "",
  } = process.env;
  const server = outside ? undefined : await startTestServer({ limits: noLimits });
  const url = outside ?? server?.url ?? "";
  const key = server?.publishableKey ?? outsideKey;
  const secret = server ? secretKey : outsideSecret;

  /** Creates a client without stored session; with `token` it acts as that token's account. */
  const client = (token?: string) =>
    createClient<Database>(url, key, {
      auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
      ...(token !== undefined && { global: { headers: { Authorization: `Bearer ${token}` } } }),
    });

  const asAdmin = () => createClient(url, secret, { auth: { persistSession: false } });

  return {
    url,
    /** The publishable key. */
    key,
    secret,
    /** The calls that the embedded one does not answer, and that a test made all the same. */
    unlisted: server?.unlisted ?? [],
    client,
    /** Calls a function as the site itself. Returns the result, or the refusal's code. */
    async callAsSite(name: string, args: object): Promise<unknown> {
      const { data, error } = await asAdmin().rpc(name, args);
      return error?.code ?? data;
    },
    /** Creates a confirmed account with a session. */
    async account() {
      const email = `${randomUUID()}@example.com`;
      const credentials = { email, password };
      const made = client();
      if (server) {
        await made.auth.signUp(credentials);
      } else {
        await asAdmin().auth.admin.createUser({ ...credentials, email_confirm: true });
      }
      const { data, error } = await made.auth.signInWithPassword(credentials);
      if (error) {
        throw error;
      }
      const token = data.session.access_token;
      // The password again, as the forms ask for it before a change of the account.
      await client(token).auth.signInWithPassword(credentials);
      return { client: made, email, password, token };
    },
    close: async () => server?.close(),
  };
}
