import { createClient, type SupabaseClientOptions } from "@supabase/supabase-js";
import { siteAgent } from "#app/lib/device-name.ts";
import { sendToSupabase } from "./answers.ts";

export interface SecretOptions {
  url: string;
  /** The client for what the site does for itself and for its visitors. */
  secretKey: string;
}

/**
 * A client with the secret key. It has no session: supabase-js sends its key as the bearer where there
 * is none, so that a client of a visitor's cookie must not have this key.
 */
export const createSecretClient = (
  { url, secretKey }: SecretOptions,
  realtime: SupabaseClientOptions<"public">["realtime"] = {},
) =>
  createClient(url, secretKey, {
    auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
    global: {
      // Hosted Supabase refuses a secret key from browsers, which it knows by their agents.
      headers: { "User-Agent": siteAgent(null) },
      fetch: (input, init) => sendToSupabase(new Request(input, init), "SUPABASE_SECRET_KEY"),
    },
    realtime,
  });
