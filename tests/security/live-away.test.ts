import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { expect, test } from "vitest";
import { newAddress } from "#tests/support/address.ts";
import { openTab } from "#tests/support/live.ts";
import { startSite } from "#tests/support/site.ts";

test("with a Supabase that does not respond, sockets are refused soon, as a temporary fault", async () => {
  const silent = createServer((socket) => socket.on("error", () => undefined)).listen(0);
  await once(silent, "listening");
  const { port } = silent.address() as AddressInfo;
  const outside = await startSite({
    SUPABASE_URL: `http://127.0.0.1:${port}`,
    SUPABASE_PUBLISHABLE_KEY: "sb_publishable_none",
    SITE_SECRET: "a secret that counts for nothing here",
  });
  const exp = Math.floor(Date.now() / 1000) + 3600;
  const claims = Buffer.from(JSON.stringify({ session_id: randomUUID(), exp }));
  const token = `e30.${claims.toString("base64url")}.AAAA`;
  const session = { access_token: token, refresh_token: "x", expires_at: exp };
  const cookie = `session=base64-${Buffer.from(JSON.stringify(session)).toString("base64url")}`;
  const since = performance.now();
  const tab = openTab(outside, { cookie, address: newAddress() });
  expect(await tab.status).toBe(503);
  expect(performance.now() - since).toBeLessThan(8000);
  await outside.stop();
  silent.close();
});
