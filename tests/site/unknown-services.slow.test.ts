import { expect, test } from "vitest";
import { WebSocket } from "ws";
import { calls } from "#app/supabase-calls.ts";
import { useOwnSite } from "#tests/support/use-site.ts";
import { ask } from "#tests/support/visitor.ts";

const site = useOwnSite();

const listed = calls.map(({ path }) => path.replace(":id", crypto.randomUUID()));
const paths = new Set([
  ...listed,
  "/auth/v1",
  "/auth/v1/settings",
  "/auth/v1/verify?token=1&type=signup&redirect_to=/",
  // With a slash at the end it redirects, as every unknown path does.
  "/rest/v1",
  "/rest/v1/contact_messages?select=*",
  "/realtime/v1/websocket?apikey=x&vsn=2.0.0",
  "/storage/v1/object/list/works",
  "/functions/v1/hello",
]);

/** As a page of another site asks Supabase. */
const send = (method: string, path: string) =>
  ask(site, method, path, {
    headers: {
      Origin: "https://other.example",
      "Access-Control-Request-Method": "POST",
      "Content-Type": "application/json",
      apikey: "sb_publishable_embedded",
    },
    ...(method === "POST" && { body: "{}" }),
  });

test.each(["GET", "POST", "OPTIONS"])(
  "a path of Supabase is unknown like any other: %s",
  async (method) => {
    const unknown = await send(method, "/no/such/v1/path");
    expect(unknown.status).toBeGreaterThanOrEqual(400);
    for (const path of paths) {
      const { status, headers } = await send(method, path);
      expect([
        path,
        status,
        headers["content-type"],
        headers["access-control-allow-origin"],
      ]).toEqual([path, unknown.status, unknown.headers["content-type"], undefined]);
    }
  },
);

test("no socket of Realtime opens, and none of these reached the embedded part", async () => {
  for (const path of ["/realtime/v1/websocket?apikey=sb_publishable_embedded", "/no/such"]) {
    const socket = new WebSocket(site.url.replace("http", "ws") + path);
    const opened = await new Promise<boolean>((resolve) => {
      socket.once("open", () => resolve(true)).once("error", () => resolve(false));
    });
    expect([path, opened]).toEqual([path, false]);
  }
  await site.end("SIGTERM");
  expect(site.output()).not.toMatch(/not on the list|"?(rest|auth): /);
});
