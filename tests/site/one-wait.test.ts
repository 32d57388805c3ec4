import { setTimeout } from "node:timers/promises";
import { beforeAll, expect, test } from "vitest";
import { claimedSite } from "#tests/support/claimed-site.ts";
import { sendForReceipt } from "#tests/support/receipts.ts";
import { useHostedSite } from "#tests/support/use-hosted-site.ts";
import { Visitor } from "#tests/support/visitor.ts";

// The guard of a page and its loaders ask Supabase side by side, and the guard's refusal comes before all else.
const { gateway, supabase, site } = useHostedSite();
let inbox: ReturnType<typeof claimedSite>;
const secret = "أريد متجرًا لا يراه غيري";
beforeAll(async () => {
  inbox = claimedSite({ ...site, dataDir: supabase.dataDir });
  await inbox.claim();
});

/** Holds the requests of a page until none has come for 100 ms. Returns them by the wait that they were in. */
async function waitsOf(path: string): Promise<string[][]> {
  const waits: string[][] = [];
  let open: { asked: string[]; end: Promise<void> } | undefined;
  const untilQuiet = async (asked: string[]) => {
    for (let known = 0; known < asked.length;) {
      known = asked.length;
      await setTimeout(100);
    }
    open = undefined;
  };
  gateway.setRequests(async (call) => {
    if (!open) {
      const asked: string[] = [];
      waits.push(asked);
      open = { asked, end: Promise.resolve().then(() => untilQuiet(asked)) };
    }
    open.asked.push(call.replace(/^.*\/v1\/(rpc\/)?/, ""));
    await open.end;
    return "pass" as const;
  });
  expect((await inbox.owner.get(path)).status).toBe(200);
  return waits.map((asked) => asked.toSorted());
}

test.for([
  ["/admin", ["notification_state", "read_inbox", "user"]],
  [
    "/account",
    [
      "inbox_state",
      "my_sessions",
      "notification_state",
      "privacy_terms",
      "read_absences",
      "read_counts",
      "user",
    ],
  ],
] as const)("%s waits once for Supabase, and asks for nothing twice", async ([path, asked]) => {
  // The first visit also records what was seen, also in an empty inbox.
  await inbox.owner.get("/admin");
  expect(await waitsOf(path)).toEqual([asked]);
});

const pages = [
  "/admin",
  "/admin.data",
  "/admin?q=%D9%84%D8%A7&box=waiting",
  "/admin/claim",
  "/admin/empty?box=spam",
  "/admin/export?format=json",
  "/account",
  "/account.data",
  "/account/delete",
];

test("a refusal of the guard shows, stores and logs nothing, whatever the loaders read", async () => {
  // A list with a new message would be recorded as seen.
  await sendForReceipt(site, secret);
  for (const rest of ["pass", 500] as const) {
    for (const page of pages) {
      // A session that the database still knows: the loaders have read all when the refusal comes.
      const visitor = new Visitor(site);
      inbox.owner.cookies.forEach((value, name) => visitor.cookies.set(name, value));
      const asked: string[] = [];
      gateway.setRequests(async (path) => {
        asked.push(path);
        if (path !== "/auth/v1/user") {
          return path.startsWith("/rest/") ? rest : "pass";
        }
        await setTimeout(200);
        return { status: 403, body: { code: "session_not_found", message: "no" } };
      });
      const { status, headers, text } = await visitor.get(page);
      const to = page.includes(".data") ? text : headers.location;
      expect([page, status, to]).toEqual([
        page,
        page.includes(".data") ? 202 : 302,
        expect.stringMatching(/\/(auth|admin|account)/),
      ]);
      expect(text).not.toContain(secret);
      expect(asked.filter((path) => /record_visit|add_counts/.test(path))).toEqual([]);
    }
  }
  expect(site.output()).not.toMatch(/A page failed|UnhandledRejection/i);
});
