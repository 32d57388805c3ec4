import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { type IncomingMessage, request } from "node:http";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { copyProject } from "#tests/support/project-copy.ts";
import { freePort, root } from "#tests/support/site.ts";
import { useSite } from "#tests/support/use-site.ts";
import { signedUp } from "#tests/support/visitor.ts";

const site = useSite();
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "tawasul-start-"));
  await chmod(folder, 0o711);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Starts the site with settings that should stop it. Returns its exit code and output. */
async function failedStart(env: Record<string, string>, project = root) {
  const child = spawn(process.execPath, ["app/server/main.ts"], {
    cwd: project,
    env: { ...process.env, NODE_ENV: "production", DATA_DIR: join(folder, "data"), ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  child.stdout.on("data", (chunk) => (said += chunk));
  child.stderr.on("data", (chunk) => (said += chunk));
  const [code] = await once(child, "close");
  return { code, said: said.trim() };
}

test.each([
  [{ SUPABASE_URL: "https://x.example" }, "supabaseKey is required."],
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

test("a wrong time zone of owner.ts stops the start with the sentence of its field", async () => {
  const project = await copyProject();
  const file = join(project, "app/content/owner.ts");
  await writeFile(file, (await readFile(file, "utf8")).replace("Asia/Riyadh", "Cairo"));
  const { code, said } = await failedStart({ PORT: String(await freePort()) }, project);
  await rm(project, { recursive: true });
  expect(code).toBe(1);
  expect(said).toMatch(
    /^\S+ error app\/content\/owner\.ts is wrong: \| timeZone must be an IANA time zone such as Asia\/Riyadh$/,
  );
});

test("a picture that is missing stops the start with its field", async () => {
  const project = await copyProject();
  await rm(join(project, "app/content/pictures/services.webp"));
  const { code, said } = await failedStart({ PORT: String(await freePort()) }, project);
  await rm(project, { recursive: true });
  expect(code).toBe(1);
  expect(said).toMatch(
    /^\S+ error app\/content\/owner\.ts is wrong: \| works\.1\.picture: services\.webp is not in app\/content\/pictures$/,
  );
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

test("the start's error names a data folder that it cannot use", async () => {
  const file = join(folder, "file");
  await writeFile(file, "");
  const { code, said } = await failedStart({
    PORT: String(await freePort()),
    DATA_DIR: join(file, "data"),
  });
  expect(code).toBe(1);
  expect(said.split("\n")).toHaveLength(1);
  expect(said).toContain(join(file, "data"));
});

test("a first start prints the next steps, and every start that nobody owns the inbox", async () => {
  const said = [
    `all data is kept in ${site.dataDir}`,
    `Make your account at ${site.url}/auth?mode=sign-up`,
    `Tawasul is ready: ${site.url}`,
  ];
  const owner = await signedUp(site);
  const unclaimed = "The inbox has no owner: every account reads it. Make it yours at";
  for (const line of [...said, unclaimed]) {
    expect(site.output()).toContain(line);
  }
  await site.restart("SIGTERM");
  expect(site.output()).toContain(unclaimed);
  expect(site.output()).not.toContain("Make your account");
  expect((await owner.post("/admin/claim", { code: site.claimCode() })).status).toBe(302);
  await site.restart("SIGTERM");
  expect(site.output()).not.toContain("The inbox");
});

test("a folder has one site, which reports its health", async () => {
  const second = await failedStart({ PORT: String(await freePort()), DATA_DIR: site.dataDir });
  expect(second.code).toBe(1);
  expect(second.said.split("\n")).toHaveLength(1);
  const health = await fetch(`${site.url}/healthz`);
  expect([health.status, await health.json()]).toEqual([200, { process: "ok", database: "ok" }]);
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
