import { mkdir, readdir, utimes, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { backupPath } from "#app/server/backups/backup-files.ts";
import { startOutside } from "#tests/support/outside.ts";
import { startSite } from "#tests/support/site.ts";
import { withSuperuser } from "#tests/support/superuser.ts";
import { useFolder } from "#tests/support/use-folder.ts";

const folder = useFolder();

// There are more than two batches of expired counts, and one count that has not expired.
const counts = `
  insert into private.attempts (name, subject, points, expires_at)
  select 'mail', 'old ' || n, 1, now() - interval '1 hour' from generate_series(1, 2500) n;
  insert into private.attempts values ('mail', 'new', 1, now() + interval '1 hour');`;

// More than a batch of messages is due, one is not, and one is old.
const trash = `
  insert into public.contact_messages (name, email, message, created_at)
  values ('ن', 'n@example.com', 'قديمة', now() - interval '25 months');
  insert into public.contact_messages (name, email, message, deleted_at)
  select 'ن', 'n@example.com', 'م ' || n, now() - interval '31 days' from generate_series(1, 1500) n;
  insert into public.contact_messages (name, email, message, deleted_at)
  values ('ن', 'n@example.com', 'أمس', now() - interval '1 day');`;

const accounts = `
  insert into auth.users (id, email, created_at, updated_at, email_confirmed_at, confirmation_sent_at)
  select gen_random_uuid(), name || '@example.com', now() - made, now() - used,
    case when confirmed then now() - made end, now() - mailed
  from (values
    ('never confirmed', interval '8 days', interval '8 days', false, interval '169 hours'),
    ('mailed again', '8 days', '8 days', false, '167 hours'),
    ('unused', '2161 hours', '2161 hours', true, '90 days'),
    ('not yet', '2159 hours', '2159 hours', true, '90 days'),
    ('used at once', '91 days', '2161 hours', true, '91 days'),
    ('used later', '91 days', '2159 hours', true, '91 days'),
    ('new', '1 day', '1 day', true, '1 day'),
    ('with a factor', '91 days', '91 days', true, '91 days'),
    ('owner', '91 days', '91 days', true, '91 days')
  ) as u (name, made, used, confirmed, mailed);
  insert into auth.mfa_factors (id, user_id, factor_type, status, created_at, updated_at)
  select gen_random_uuid(), id, 'totp', 'verified', now(), now() from auth.users
  where email = 'with a factor@example.com';
  insert into private.site_owner (user_id)
  select id from auth.users where email = 'owner@example.com';`;

/** The messages in the trash, and how many counts and accounts are left. */
const left = ({ dataDir }: { dataDir: string }) =>
  withSuperuser(dataDir, async (sql) => {
    const [row] = await sql`select
      (select array_agg(message order by message) from public.contact_messages
        where deleted_at is not null) as trash,
      (select count(*)::int from private.attempts) as attempts,
      array(select split_part(email, '@', 1) from auth.users order by 1) as accounts`;
    return row;
  });

const due = counts + trash + accounts;
// The first sweep and the first backup follow the start by ten seconds.
const patience = { timeout: 50_000, interval: 500 };
const kept = ["mailed again", "new", "not yet", "owner", "used later", "with a factor"];
const rest = { trash: ["أمس", "قديمة"], attempts: 1 };
const dayMs = 24 * 60 * 60_000;

test("all that is due is swept soon after the start, with old mails and the oldest backups", async () => {
  const BACKUP_DIR = join(folder.path, "backups");
  await mkdir(BACKUP_DIR);
  const nameAt = (daysAgo: number) => {
    const at = new Date(Date.now() - daysAgo * dayMs);
    return basename(backupPath({ folder: BACKUP_DIR, site: "your.site" }, at, {}));
  };
  const days = Array.from({ length: 35 }, (_, index) => nameAt(index + 1));
  // The clock was ahead, so this is not a backup of today.
  const ahead = nameAt(-1000);
  for (const name of [...days, ahead]) {
    await writeFile(join(BACKUP_DIR, name), "");
  }
  const site = await startSite({ BACKUP_DIR, SITE_URL: "https://your.site" }, due);
  onTestFinished(() => site.stop());
  const mails = join(site.dataDir, "mails");
  await mkdir(mails);
  for (const [name, daysAgo] of [["old.eml", 31] as const, ["new.eml", 29] as const]) {
    await writeFile(join(mails, name), "");
    const at = (Date.now() - daysAgo * dayMs) / 1000;
    await utimes(join(mails, name), at, at);
  }
  await expect.poll(() => left(site), patience).toEqual({ ...rest, accounts: kept });
  await expect
    .poll(() => site.linesWith("The daily sweep has moved")[0], patience)
    .toMatch(/expired=1 deleted=1500 others=2503 sessions=0 mails=1/);
  expect(await readdir(mails)).toEqual(["new.eml"]);
  await expect.poll(() => site.output(), patience).toContain("The nightly backup is complete");
  const backups = await readdir(BACKUP_DIR);
  expect(backups).toHaveLength(35);
  expect(backups).toEqual(expect.arrayContaining([ahead, ...days.slice(0, 33)]));
});

test("beside a hosted Supabase too, except the accounts, which may be other sites'", async () => {
  const { supabase, env, close } = await startOutside();
  onTestFinished(close);
  await withSuperuser(supabase.dataDir, (sql) => sql.script(due));
  const beside = await startSite(env);
  onTestFinished(() => beside.stop());
  const all = [...kept, "never confirmed", "unused", "used at once"].toSorted();
  await expect.poll(() => left(supabase), patience).toEqual({ ...rest, accounts: all });
});
