import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { StartError } from "#app/lib/start-error.ts";
import { legacyKey } from "#tests/support/keys.ts";
import { useFolder } from "#tests/support/use-folder.ts";
import { projectRoot, readEnv, requireKeys } from "./settings.ts";

const folder = useFolder();
let file: string;
beforeEach(() => {
  file = join(folder.path, ".env");
});
afterEach(() => void vi.unstubAllEnvs());

test("without any setting the defaults hold, and paths begin at the project's root", () => {
  expect(readEnv(file)).toMatchObject({
    PORT: 3000,
    HOST: "127.0.0.1",
    DATA_DIR: join(projectRoot, ".data"),
  });
});

test("a mail server's password may have each sign, written as in an address", () => {
  vi.stubEnv("MAIL_FROM", "a@your.site");
  for (const url of ["smtps://me:%23%2F%3F@mail.example", "smtp://[::1]:25/?name=a"]) {
    vi.stubEnv("SMTP_URL", url);
    expect(readEnv(file)).toMatchObject({ SMTP_URL: url });
  }
});

test("the environment wins over the file, whose byte order mark does not count", async () => {
  await writeFile(file, "\u{FEFF}PORT=4000\nHOST=::1\nDATA_DIR=/srv/data\n");
  vi.stubEnv("HOST", "127.0.0.2");
  expect(readEnv(file)).toMatchObject({ PORT: 4000, HOST: "127.0.0.2", DATA_DIR: "/srv/data" });
});

test("the file takes each webhook that DEPLOY names, and its template without encoding", async () => {
  const deploy = await readFile(join(projectRoot, ".github/DEPLOY.md"), "utf8");
  const rows = deploy
    .split("\n")
    .filter((line) => /^\| (Telegram|\[ntfy|Slack|Discord|n8n)/.test(line));
  expect(rows).toHaveLength(5);
  const addresses = rows.map((row) =>
    /`(https:[^`]+)`/.exec(row)?.[1]?.replaceAll(/<\w+>/g, "1:a"),
  );
  for (const address of [...addresses, "https://ntfy.sh/topic?tpl=1&m={{.text}}"]) {
    await writeFile(file, `NOTIFICATION_URL=${address}\n`);
    expect(readEnv(file).NOTIFICATION_URL).toBe(address);
  }
});

describe("one sentence names what is wrong", () => {
  test.each([
    ["SITE_URL", "your.site", "must be an address such as https://your.site"],
    ["SITE_URL", "http://shop.example", "must start with https://"],
    ["SITE_URL", "https://me:secret@your.site", "must not hold a user or a password"],
    ["SITE_URL", "https://your.site/contact", "without a path"],
    ["TRUSTED_PROXIES", "1", "give addresses, ranges such as 10.0.0.0/8, or loopback"],
    ["DATA_DIR", "~/data", "write the whole path"],
    ["BACKUP_PASSPHRASE", "short", "give 12 characters or more"],
    ["PORT", "http", "must be a number from 1 to 65535"],
    ["PORT", "70000", "must be a number from 1 to 65535"],
    ["NOTIFICATION_URL", "http://ntfy.example/topic", "must start with https://"],
    ["NOTIFICATION_BODY", "some", "none"],
    ["SMTP_URL", "mail.example", "such as smtps://user:password@mail.example"],
    ["SMTP_URL", "smtps://user:pa#ss@mail.example", "# / and ? in the password are written %23"],
    ["SMTP_URL", "smtps://user:12/3@mail.example", "# / and ? in the password are written %23"],
    ["MAIL_FROM", "a@your.site, b@your.site", "must be one address"],
    ["MAIL_FROM", "Site <site>", "must be one address"],
    ["SUPABASE_DB_URL", "https://x.example", "such as postgresql://"],
    ["SUPABASE_URL", "abc.supabase.co", "such as https://abc.supabase.co"],
    ["SUPABASE_URL", "https://supabase.com/dashboard/project/abc", "without a path"],
    ["SUPABASE_URL", "https://me:secret@abc.supabase.co", "must not hold a user or a password"],
    ["SUPABASE_PUBLISHABLE_KEY", "“sb_publishable”", "must be Latin letters"],
    ["SUPABASE_PUBLISHABLE_KEY", "sb_secret_x", "this is the secret key"],
    ["SUPABASE_PUBLISHABLE_KEY", legacyKey, "this is the secret key"],
    ["SUPABASE_SECRET_KEY", "sb_publishable_x", "give the key sb_secret_…"],
  ])("%s=%s", (name, value, sentence) => {
    vi.stubEnv(name, value);
    expect(() => readEnv(file)).toThrow(StartError);
    expect(() => readEnv(file)).toThrow(`${name} is wrong: `);
    expect(() => readEnv(file)).toThrow(sentence);
  });

  test("backups in the data folder", () => {
    vi.stubEnv("BACKUP_DIR", ".data/backups");
    expect(() => readEnv(file)).toThrow("BACKUP_DIR is inside DATA_DIR");
  });

  test.each(["site@your.site", "Name <site@your.site>", "موقعي <site@موقعي.example>"])(
    "MAIL_FROM=%s is right",
    (sender) => {
      vi.stubEnv("MAIL_FROM", sender);
      vi.stubEnv("SMTP_URL", "smtps://mail.example");
      expect(readEnv(file).MAIL_FROM).toBe(sender);
    },
  );

  const key = { SUPABASE_PUBLISHABLE_KEY: "key" };
  const outside = { SUPABASE_URL: "https://supabase.example", ...key };
  test.each<[settings: Record<string, string>, sentence: string]>([
    [{ MAIL_FROM: "site@your.site" }, "MAIL_FROM is set without SMTP_URL: set both."],
    [{ SMTP_URL: "smtp://mail.example" }, "without MAIL_FROM"],
    [key, "without SUPABASE_URL"],
    [{ SUPABASE_SECRET_KEY: "sb_secret_x" }, "SUPABASE_SECRET_KEY is set without SUPABASE_URL"],
    [{ ...outside, SITE_OWNER_EMAIL: "a@b.co" }, "SITE_OWNER_EMAIL is for the embedded Supabase"],
    [{ ...outside, CONFIRM_EMAIL: "false" }, "CONFIRM_EMAIL is for the embedded Supabase"],
    [
      { SITE_OWNER_EMAIL: "a@b.co", CONFIRM_EMAIL: "false" },
      "anybody could sign up with the owner's address",
    ],
  ])("in contradictory settings: %o", (settings, sentence) => {
    for (const [name, value] of Object.entries(settings)) {
      vi.stubEnv(name, value);
    }
    expect(() => readEnv(file)).toThrow(sentence);
  });

  test("the site needs both keys beside SUPABASE_URL, and commands none", () => {
    vi.stubEnv("SUPABASE_URL", "https://supabase.example");
    expect(() => requireKeys(readEnv(file))).toThrow(
      "supabaseKey is required. Set SUPABASE_PUBLISHABLE_KEY beside SUPABASE_URL.",
    );
    vi.stubEnv("SUPABASE_PUBLISHABLE_KEY", "key");
    expect(() => requireKeys(readEnv(file))).toThrow(
      "supabaseKey is required. Set SUPABASE_SECRET_KEY beside SUPABASE_URL.",
    );
    for (const secret of ["sb_secret_x", legacyKey]) {
      vi.stubEnv("SUPABASE_SECRET_KEY", secret);
      requireKeys(readEnv(file));
    }
  });

  test.each(["SITE_ULR=https://your.site", "constructor=1"])("in the file: %s", async (line) => {
    await writeFile(file, line);
    const [name] = line.split("=");
    expect(() => readEnv(file)).toThrow(`${file}: ${name} is not a setting of the site`);
  });

  test("a file that cannot be read", async () => {
    await mkdir(file);
    expect(() => readEnv(file)).toThrow(StartError);
    expect(() => readEnv(file)).toThrow(`The settings in ${file} cannot be read: EISDIR`);
  });
});
