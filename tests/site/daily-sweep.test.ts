import { expect, onTestFinished, test } from "vitest";
import { startOutside } from "#tests/support/outside.ts";
import { startSite } from "#tests/support/site.ts";
import { withSuperuser } from "#tests/support/superuser.ts";
import { useSite } from "#tests/support/use-site.ts";

// More than two batches of expired counts, and one that has not expired.
const counts = `
  insert into private.attempts (name, subject, points, expires_at)
  select 'mail', 'old ' || n, 1, now() - interval '1 hour' from generate_series(1, 2500) n;
  insert into private.attempts values ('mail', 'new', 1, now() + interval '1 hour');`;

// More than a batch of messages that are due, and one that is not.
const trash = `
  insert into public.contact_messages (name, email, message, deleted_at)
  select 'ن', 'n@example.com', 'م ' || n, now() - interval '31 days' from generate_series(1, 1500) n;
  insert into public.contact_messages (name, email, message, deleted_at)
  values ('ن', 'n@example.com', 'أمس', now() - interval '1 day');`;

// More than two batches of old notes, and one that can still be undone.
const changes = `
  with noted as (
    insert into public.contact_messages (name, email, message)
    select 'ن', 'n@example.com', 'نص ' || n from generate_series(1, 250) n returning id
  )
  insert into private.changes (message_id, of_note, id, former_note, made_at)
  select id, true, gen_random_uuid(), 'سرّ', now() - interval '25 hours' from noted;
  insert into private.changes (message_id, of_note, id, former_note, made_at)
  select message_id, false, gen_random_uuid(), null, now() - interval '23 hours'
  from private.changes limit 1;`;

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

// The first that the site calls.
const fault = `
  alter function public.sweep_attempts rename to not_sweep_attempts;
  create function public.sweep_attempts() returns integer language plpgsql
  as $$ begin raise exception 'broken'; end $$;`;

/** The messages in the trash, and how many changes and accounts are left. */
const left = ({ dataDir }: { dataDir: string }) =>
  withSuperuser(dataDir, async (sql) => {
    const [row] = await sql`select
      (select array_agg(message) from public.contact_messages where deleted_at is not null) as trash,
      (select count(*)::int from private.changes) as changes,
      (select count(*)::int from private.attempts) as attempts,
      array(select split_part(email, '@', 1) from auth.users order by 1) as accounts`;
    return row;
  });

const due = counts + trash + changes + accounts;
const site = useSite({}, due);
const broken = useSite({}, due + fault);
const doubtful = useSite(
  {},
  `${due}update private.clock set trusted_at = now() - interval '3 years'`,
);
const patience = { timeout: 30_000, interval: 500 };
const kept = ["mailed again", "new", "not yet", "owner", "used later", "with a factor"];

const said = (of: typeof site) => of.linesWith("The daily sweep has deleted")[0];

test("all that is due is deleted soon after the start, also while a part of it fails", async () => {
  const rest = { trash: ["أمس"], changes: 1, accounts: kept };
  await expect.poll(() => left(site), patience).toEqual({ ...rest, attempts: 1 });
  await expect.poll(() => left(broken), patience).toEqual({ ...rest, attempts: 2501 });
  expect(broken.linesWith("A daily sweep failed")).toEqual([
    expect.stringMatching(
      /sweep=attempts reason="The function sweep_attempts of the database failed/,
    ),
  ]);
  await expect
    .poll(() => said(site))
    .toMatch(/attempts=2500 messages=1500 changes=250 .*accounts=3/);
  await expect
    .poll(() => said(broken))
    .toMatch(/deleted\D* messages=1500 changes=250 .*accounts=3/);
});

test("after a jump of the clock nothing but expired counts is deleted, and the log says so", async () => {
  const before = await left(doubtful);
  await expect.poll(() => doubtful.linesWith("The date is in doubt"), patience).toHaveLength(1);
  await expect
    .poll(() => doubtful.linesWith("The daily sweep has deleted"), patience)
    .toEqual([expect.stringMatching(/kept attempts=2500$/)]);
  expect(await left(doubtful)).toEqual({ ...before, attempts: 1 });
  expect(before).toMatchObject({ changes: 251, trash: { length: 1501 } });
  expect(doubtful.output()).toMatch(
    /now=\S+ before=\S+ remedy="Set the clock, or confirm the date on \/admin as the inbox's owner/,
  );
});

test("beside a hosted Supabase too, except the accounts, which may be other sites'", async () => {
  const { supabase, env, close } = await startOutside();
  onTestFinished(close);
  await withSuperuser(supabase.dataDir, (sql) => sql.script(due));
  const beside = await startSite(env);
  onTestFinished(() => beside.stop());
  const all = [...kept, "never confirmed", "unused", "used at once"].toSorted();
  const rest = { trash: ["أمس"], changes: 1, attempts: 1, accounts: all };
  await expect.poll(() => left(supabase), patience).toEqual(rest);
});
