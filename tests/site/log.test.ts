import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startSite } from "#tests/support/site.ts";
import { Visitor } from "#tests/support/visitor.ts";
import { wholeVisit } from "#tests/support/whole-visit.ts";

const visitorMessage = { name: "زائر", email: "v@example.com" };

interface Line {
  time: string;
  level: string;
  event: string;
  account?: string;
}

test("the log of an account's life has JSON lines with its id, and no personal data", async () => {
  const site = await startSite({ LOG_FORMAT: "json" });
  const { owner, credentials } = await wholeVisit(site);
  const { access_token: token, refresh_token: refresh } = owner.session();
  const code = site.claimPath().split("=")[1] ?? "";
  await owner.post("/admin/claim", { code: "00000-00000-00000-00000" });
  await owner.post("/admin/claim", { code });
  const stranger = new Visitor(site);
  await stranger.post("/auth", { ...credentials, password: "a wrong password" });
  await stranger.post("/auth/forgot", { email: credentials.email });
  await stranger.post("/", { Origin: "x" }, { Origin: "https://evil.example" });
  for (let round = 0; round < 12; round += 1) {
    await stranger.post("/", { ...visitorMessage, message: `نص ${round}` });
  }
  const database = join(site.dataDir, "database/cluster/data/postmaster.pid");
  process.kill(Number((await readFile(database, "utf8")).split("\n")[0]), "SIGKILL");
  await expect.poll(() => site.output(), { timeout: 20_000 }).toContain("database is ready again");
  await site.end("SIGTERM");

  const text = site.output();
  const lines: Line[] = text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  for (const { time, level, event } of lines) {
    expect(new Date(time).toISOString()).toBe(time);
    expect(level).toMatch(/^(info|warn|error)$/);
    expect(event).toMatch(/^\p{Lu}|^404|^rest|^auth/u);
  }
  const account = lines.find(({ event }) => event === "An account was created")?.account;
  expect(account).toMatch(/^[0-9a-f-]{36}$/);
  const events = lines.map(({ event }) => event).join("\n");
  expect(events).toContain("Tawasul is ready");
  expect(events).toContain("A form from https://evil.example was refused");
  expect(events).toContain("The database ended (signal SIGKILL) and is started again");
  expect(events).toContain("Stopping");
  expect(events).toContain("Stopped");
  expect(lines).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ event: "An account signed in", account, method: "password" }),
      expect.objectContaining({ event: "An account used its second factor", account }),
      expect.objectContaining({ event: "An account signed out", account }),
      expect.objectContaining({ event: "A sign-in failed", account }),
      expect.objectContaining({ event: "The inbox was not claimed", account, level: "warn" }),
      expect.objectContaining({ event: "The inbox was claimed", account }),
      expect.objectContaining({ event: "A limit was reached", limit: "message", count: 1 }),
      expect.objectContaining({ event: "No SMTP server is set: a mail was written to a file" }),
    ]),
  );
  const secrets = [
    credentials.email,
    credentials.password,
    "a wrong password",
    "v@example.com",
    "visitor@example.com",
    "نص",
    token,
    refresh,
    owner.address,
    stranger.address,
  ];
  expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
  await site.stop();
}, 120_000);
