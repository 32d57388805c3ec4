import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getRequestListener } from "@hono/node-server";
import { createClient } from "@supabase/supabase-js";
import { startEmbedded } from "./index.ts";

const folder = await mkdtemp(join(tmpdir(), "supabase-"));
const http = createServer().listen(0, "127.0.0.1");
await once(http, "listening");
const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;

const embedded = await startEmbedded({
  dataDir: join(folder, "data"),
  migrationsDir: new URL("../migrations", import.meta.url).pathname,
  siteUrl: url,
  auth: {},
  log: console,
});
const client = { address: "127.0.0.1" };
http.on(
  "request",
  getRequestListener((request) => embedded.fetch(request, client)),
);

const supabase = createClient(url, embedded.publishableKey, {
  realtime: { transport: embedded.realtimeTransport },
});
await supabase.auth.signUp({ email: "owner@example.org", password: "a long password" });
// The first join has no token without this.
await supabase.realtime.setAuth();
const arrived = Promise.withResolvers<string>();
const subscribed = Promise.withResolvers<void>();
supabase
  .channel("inbox")
  .on<{ message: string }>(
    "postgres_changes",
    { event: "INSERT", schema: "public", table: "contact_messages" },
    (change) => arrived.resolve(change.new.message),
  )
  .subscribe((status) => status === "SUBSCRIBED" && subscribed.resolve());
await subscribed.promise;

const message = { name: "Sara", email: "sara@example.org", message: "Hello" };
await supabase.from("contact_messages").insert(message).throwOnError();
console.log("live:", await arrived.promise);
const { data } = await supabase.from("contact_messages").select("name, message").throwOnError();
console.log("read:", data);

await embedded.close();
await rm(folder, { recursive: true });
// The client has timers that would keep the process for ten seconds.
process.exit();
