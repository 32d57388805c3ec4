import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { StartError } from "#app/lib/start-error.ts";
import { shipped } from "#tests/support/shipped-content.ts";
import { checkReadiness } from "./readiness.ts";
import { projectRoot, readEnv } from "./settings.ts";

afterEach(() => void vi.unstubAllEnvs());

const content = {
  ...shipped,
  name: "نورة",
  phone: "966551234567",
  channels: [],
  works: [],
  services: [],
};
const live = { SITE_URL: "https://your.site", DATA_DIR: "/srv/data" };
const mail = { SMTP_URL: "smtps://mail.example", MAIL_FROM: "a@b.co" };
const complete = { ...live, ...mail, BACKUP_DIR: "/srv/backups" };

function lacksWith(settings: Record<string, string>, of = content) {
  for (const [name, value] of Object.entries(settings)) {
    vi.stubEnv(name, value);
  }
  return checkReadiness(readEnv("/no/.env"), of);
}

test.each<[settings: Record<string, string>, lacks: string[]]>([
  [complete, []],
  [live, ["SMTP_URL", "BACKUP_DIR", "NOTIFICATION_URL"]],
  [{ ...live, ...mail }, ["BACKUP_DIR"]],
  [{ ...live, BACKUP_DIR: "/srv/backups", NOTIFICATION_URL: "https://ntfy.sh/x" }, ["SMTP_URL"]],
  [{ ...live, ...mail, BACKUP_PASSPHRASE: "a long passphrase" }, ["BACKUP_PASSPHRASE"]],
  [{ ...complete, BACKUP_PASSPHRASE: "a long passphrase" }, []],
  [{ DATA_DIR: "/srv/data" }, []],
  [{ SITE_URL: "http://localhost:4000" }, []],
  [
    {
      SITE_URL: "https://your.site",
      SUPABASE_URL: "https://supabase.example",
      SUPABASE_PUBLISHABLE_KEY: "key",
    },
    ["NOTIFICATION_URL"],
  ],
])("with %o a site lacks %o", (settings, lacks) => {
  expect(lacksWith(settings)).toEqual(lacks);
});

test("a live site with the shipped content lacks its own", () => {
  expect(lacksWith(complete, shipped as typeof content)).toEqual([
    "name",
    "phone",
    "address",
    "works",
  ]);
});

test.each(
  ["DATA_DIR", "BACKUP_DIR"].flatMap((name) => [
    [name, "kept"],
    [name, join(projectRoot, "app/kept")],
    [name, projectRoot],
  ]),
)("a live site refuses %s=%s: an update replaces the clone", (name, folder) => {
  const start = () => lacksWith({ ...complete, [name]: folder });
  expect(start).toThrow(StartError);
  expect(start).toThrow(`${name} is inside the clone`);
});

test("backups of an outside Supabase are refused there, too", () => {
  const outside = { SUPABASE_URL: "https://supabase.example", SUPABASE_DB_URL: "postgres://x" };
  const settings = { SITE_URL: "https://your.site", BACKUP_DIR: "backups", ...outside };
  expect(() => lacksWith(settings)).toThrow("BACKUP_DIR is inside the clone");
});
