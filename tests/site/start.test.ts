import { once } from "node:events";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { type IncomingMessage, request } from "node:http";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { owner as content } from "#app/content/owner.ts";
import { placeholdersIn } from "#app/content/placeholders.ts";
import manifest from "#package.json" with { type: "json" };
import { copyProject } from "#tests/support/project-copy.ts";
import { freePort, startMs, startSite } from "#tests/support/site.ts";
import { root, spawnServer } from "#tests/support/spawn-server.ts";
import { useFolder } from "#tests/support/use-folder.ts";
import { useOwnSite } from "#tests/support/use-site.ts";
import { signedUp, Visitor } from "#tests/support/visitor.ts";

// Without a proxy, as the network reaches it.
const site = useOwnSite({ TRUSTED_PROXIES: "" });
const folder = useFolder();

/** Starts the site with settings that should stop it. Returns its exit code and output. */
async function failedStart(env: Record<string, string>, project = root) {
  const { child, output } = spawnServer(
    { DATA_DIR: join(folder.path, "data"), ...env },
    undefined,
    project,
  );
  const [code] = await once(child, "close");
  return { code, printed: output().trim() };
}

test("a missing key stops the start with a one-line error", async () => {
  const { code, printed } = await failedStart({ SUPABASE_URL: "https://x.example" });
  expect(code).toBe(1);
  expect(printed).toContain(
    "supabaseKey is required. Set SUPABASE_PUBLISHABLE_KEY beside SUPABASE_URL.",
  );
  expect(printed.split("\n")).toHaveLength(1);
});

test("a mistake in owner.ts stops the start with the sentence of its field", async () => {
  const project = await copyProject();
  const file = join(project, "app/content/owner.ts");
  const text = await readFile(file, "utf8");
  await writeFile(file, `${text}owner.timeZone = "Cairo";\n`);
  const { printed } = await failedStart({ PORT: String(await freePort()) }, project);
  expect(printed).toMatch(
    /^\S+ error app\/content\/owner\.ts is wrong: \| timeZone must be an IANA time zone such as Asia\/Riyadh$/,
  );
  await rm(project, { recursive: true });
});

test("the start's error names a port that is in use", async () => {
  const port = await freePort();
  const other = createServer().listen(port, "127.0.0.1");
  await once(other, "listening");
  const { code, printed } = await failedStart({ PORT: String(port) });
  other.close();
  expect(code).toBe(1);
  expect(printed).toMatch(/^\S+ error Port/);
  expect(printed).toContain(`Port ${port} is taken: stop what uses it, or set PORT to another.`);
});

const placeholders = placeholdersIn(content);
const ofContent = {
  name: "app/content/owner.ts has the placeholder name, which visitors read",
  phone: "app/content/owner.ts has the placeholder phone: visitors write to a stranger",
  address:
    "app/content/owner.ts has the placeholder address: what visitors mail there reaches nobody",
  works: "app/content/owner.ts has placeholder works or services, which lead to example.com",
};
const panel = "موقعك منشور، ولم يكتمل بعد";

test(
  "a live start on a new disk names each thing that it lacks, and so does its owner's board",
  async () => {
    const origin = "https://your.site";
    const DATA_DIR = join(folder.path, "disk");
    await mkdir(join(DATA_DIR, "lost+found"), { recursive: true });
    const live = await startSite({ DATA_DIR, SITE_URL: origin, BACKUP_DIR: "/proc/backups" });
    onTestFinished(() => live.stop());
    expect(await readdir(DATA_DIR)).toContain("keys.json");
    const warnings = live.linesWith("This live site is not ready: ");
    expect(warnings.map((line) => /warn +This.*not ready: (.*)$/.exec(line)?.[1])).toEqual([
      ...placeholders.map((field) => ofContent[field]),
      "SMTP_URL is not set: mails are written to files; nobody gets them",
      "neither SMTP_URL nor NOTIFICATION_URL is set: nothing tells you of new messages",
    ]);
    expect(live.output()).toMatch(
      /error No backup can be written to the folder of BACKUP_DIR: ENOENT: [^\n]* a unit of systemd must name it in ReadWritePaths=\.\n/,
    );
    const owner = await signedUp(live, undefined, origin);
    expect((await owner.get("/admin")).text).not.toContain(panel);
    expect((await owner.post("/admin/claim", { code: live.claimCode() })).status).toBe(302);
    const { text } = await owner.get("/admin");
    const [, list = ""] = new RegExp(`${panel}</summary>(.*?)</details>`, "s").exec(text) ?? [];
    expect(list.match(/<li>/g)).toHaveLength(placeholders.length + 1);
    expect(list).toContain("تُكتب في ملفات، ولا تصل إلى أحد");
    const other = await signedUp(live, undefined, origin);
    expect((await other.get("/admin")).text).not.toContain(panel);
  },
  startMs,
);

test("a first start prints the next steps, and the owner's pages what is not set up", async () => {
  for (const line of [
    `all data is kept in ${site.dataDir}`,
    `Make your account at ${site.url}/auth?mode=sign-up`,
    `Tawasul is ready: ${site.url} version=${manifest.version}`,
    "The inbox has no owner. Unless it had one before, every account can read it.",
  ]) {
    await expect.poll(() => site.output()).toContain(line);
  }
  const owner = await signedUp(site);
  const hint = "لا تصلك تنبيهات بالرسائل الجديدة";
  expect((await owner.get("/admin")).text).not.toContain(hint);
  expect((await owner.post("/admin/claim", { code: site.claimCode() })).status).toBe(302);
  const board = (await owner.get("/admin")).text;
  expect(board).toContain(hint);
  // A site on this machine is not published.
  expect(board).not.toContain(panel);
  expect(site.output()).not.toContain("not ready: ");
  const { text } = await owner.get("/account");
  expect(text).toContain("لا تصلك تنبيهات بعد");
  expect(text).toContain("لا تُحفظ نسخ احتياطية من رسائلك");
});

test("without TRUSTED_PROXIES no header lets one visitor count as many, and one line says what to set", async () => {
  const statuses: number[] = [];
  for (let count = 1; count <= 12; count += 1) {
    const message = {
      name: "زائر",
      email: "a@example.com",
      message: `رسالة ${count}`,
      t_extra: "",
    };
    statuses.push((await new Visitor(site).post("/", message)).status);
  }
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 302), 429, 429]);
  await expect
    .poll(() => site.linesWith("X-Forwarded-For"))
    .toEqual([expect.stringMatching(/ warn .*set TRUSTED_PROXIES=loopback$/)]);
});

test("requests in flight at SIGTERM are finished first", async () => {
  const form = new URLSearchParams({ email: "late@example.com", password: "late-password" });
  const late = request(`${site.url}/auth?mode=sign-up`, {
    method: "POST",
    headers: {
      Origin: site.url,
      "Content-Type": "application/x-www-form-urlencoded",
      "Content-Length": form.toString().length,
      // Asks for an interim response (RFC 9110, 10.1.1).
      Expect: "100-continue",
    },
  });
  late.flushHeaders();
  await once(late, "continue");
  const code = site.end("SIGTERM");
  await expect.poll(() => site.output()).toContain("Stopping");
  late.end(form.toString());
  const [answer]: IncomingMessage[] = await once(late, "response");
  expect(answer?.statusCode).toBe(302);
  // This connection accepts no further request.
  expect(answer?.headers.connection).toBe("close");
  expect(await code).toBe(0);
  await expect(fetch(`${site.url}/healthz`)).rejects.toThrow("fetch failed");
});
