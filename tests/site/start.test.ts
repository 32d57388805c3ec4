import { once } from "node:events";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { type IncomingMessage, request } from "node:http";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import manifest from "#package.json" with { type: "json" };
import { copyProject } from "#tests/support/project-copy.ts";
import { freePort, startSite } from "#tests/support/site.ts";
import { root, spawnServer } from "#tests/support/spawn-server.ts";
import { useFolder } from "#tests/support/use-folder.ts";
import { useSite } from "#tests/support/use-site.ts";
import { signedUp } from "#tests/support/visitor.ts";

const site = useSite();
const folder = useFolder();

/** Starts the site with settings that should stop it. Returns its exit code and output. */
async function failedStart(env: Record<string, string>, project = root) {
  const { child, output } = spawnServer(
    { DATA_DIR: join(folder.path, "data"), ...env },
    undefined,
    project,
  );
  const [code] = await once(child, "close");
  return { code, said: output().trim() };
}

test.each([
  [
    { SUPABASE_URL: "https://x.example" },
    "supabaseKey is required. Set SUPABASE_PUBLISHABLE_KEY beside SUPABASE_URL.",
  ],
  [{ PORT: "many" }, "PORT is wrong"],
])(
  "incomplete or invalid settings %o stop the start with a one-line error",
  async (env, sentence) => {
    const { code, said } = await failedStart(env);
    expect(code).toBe(1);
    expect(said).toContain(sentence);
    expect(said.split("\n")).toHaveLength(1);
  },
);

test("a mistake in owner.ts stops the start with the sentence of its field", async () => {
  const project = await copyProject();
  const file = join(project, "app/content/owner.ts");
  const text = await readFile(file, "utf8");
  const sentence = async () =>
    (await failedStart({ PORT: String(await freePort()) }, project)).said;
  await writeFile(file, `${text}owner.timeZone = "Cairo";\n`);
  expect(await sentence()).toMatch(
    /^\S+ error app\/content\/owner\.ts is wrong: \| timeZone must be an IANA time zone such as Asia\/Riyadh$/,
  );
  await writeFile(file, `${text}owner.photo = "nowhere.webp";\n`);
  expect(await sentence()).toMatch(
    /^\S+ error app\/content\/owner\.ts is wrong: \| photo: nowhere\.webp is not in app\/content\/pictures$/,
  );
  await rm(project, { recursive: true });
});

test("the start's error names a port that is in use", async () => {
  const port = await freePort();
  const other = createServer().listen(port, "127.0.0.1");
  await once(other, "listening");
  const { code, said } = await failedStart({ PORT: String(port) });
  other.close();
  expect(code).toBe(1);
  expect(said).toMatch(/^\S+ error Port/);
  expect(said).toContain(`Port ${port} is taken: stop what uses it, or set PORT to another.`);
});

test("the start's error names the setting of a folder that it cannot use", async () => {
  const file = join(folder.path, "file");
  await writeFile(file, "");
  const PORT = String(await freePort());
  const DATA_DIR = join(file, "data");
  const data = await failedStart({ PORT, DATA_DIR });
  expect(data.code).toBe(1);
  expect(data.said.split("\n")).toHaveLength(1);
  expect(data.said).toContain(`error DATA_DIR: The folder ${DATA_DIR} cannot be written: ENOTDIR`);
  const backups = await failedStart({ PORT, BACKUP_DIR: file });
  expect(backups.code).toBe(1);
  expect(backups.said).toMatch(/error BACKUP_DIR is wrong: \S+\/file is not a folder$/);
  // Where nobody can make a folder; Node's own mkdir tries for ever.
  const before = performance.now();
  const odd = await failedStart({ PORT, DATA_DIR: "/proc/data" });
  expect(odd.said).toContain("DATA_DIR: The folder /proc/data cannot be written: ENOENT");
  expect(performance.now() - before).toBeLessThan(20_000);
});

test("a start says that no backup can be written to BACKUP_DIR, and what a unit needs for it", async () => {
  const started = await startSite({ BACKUP_DIR: "/proc/backups" });
  expect(started.output()).toMatch(
    /error No backup can be written to the folder of BACKUP_DIR: ENOENT: [^\n]* a unit of systemd must name it in ReadWritePaths=\.\n/,
  );
  await started.stop();
});

test("a folder with other things is no data folder, and nothing is written to it", async () => {
  const DATA_DIR = join(folder.path, "clone");
  await mkdir(join(DATA_DIR, "database"), { recursive: true });
  await writeFile(join(DATA_DIR, ".gitignore"), "node_modules\n");
  await writeFile(join(DATA_DIR, "package.json"), "{}");
  const { code, said } = await failedStart({ PORT: String(await freePort()), DATA_DIR });
  expect(code).toBe(1);
  expect(said).toMatch(
    /error DATA_DIR: The folder \S+ has other things in it \(package\.json\)\. Name an empty one\.$/,
  );
  expect(await readdir(DATA_DIR)).toEqual([".gitignore", "database", "package.json"]);
  expect(await readFile(join(DATA_DIR, ".gitignore"), "utf8")).toBe("node_modules\n");
});

test("the root of a new disk is a data folder", async () => {
  const DATA_DIR = join(folder.path, "disk");
  await mkdir(join(DATA_DIR, "lost+found"), { recursive: true });
  const fresh = await startSite({ DATA_DIR });
  await fresh.stop();
  expect(await readdir(DATA_DIR)).toContain("keys.json");
});

test("a first start prints the next steps, and every start that nobody owns the inbox; the owner's pages what is not set up", async () => {
  const said = [
    `all data is kept in ${site.dataDir}`,
    `Make your account at ${site.url}/auth?mode=sign-up`,
    `Tawasul is ready: ${site.url} version=${manifest.version}`,
  ];
  const owner = await signedUp(site);
  const unclaimed = "The inbox has no owner. Unless it had one before, every account reads it.";
  for (const line of [...said, unclaimed]) {
    await expect.poll(() => site.output()).toContain(line);
  }
  await site.restart("SIGTERM");
  await expect.poll(() => site.output()).toContain(unclaimed);
  expect(site.output()).not.toContain("Make your account");
  const hint = "لا تصلك تنبيهات بالرسائل الجديدة";
  expect((await owner.get("/admin")).text).not.toContain(hint);
  expect((await owner.post("/admin/claim", { code: site.claimCode() })).status).toBe(302);
  expect((await owner.get("/admin")).text).toContain(hint);
  const { text } = await owner.get("/account");
  expect(text).toContain("لا تصلك تنبيهات بعد");
  expect(text).toContain("لا تُحفظ نسخ احتياطية من رسائلك");
  await site.restart("SIGTERM");
  expect(site.output()).not.toContain("The inbox");
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
