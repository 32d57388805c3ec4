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

// More than a batch of messages that are due, and one that is not; one that is old.
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

// Of the first sweep.
const fault = `
  create function private.break() returns trigger language plpgsql
  as $$ begin raise exception 'broken'; end $$;
  create trigger broken before delete on private.attempts execute function private.break();
  insert into auth.users (id, email) values (gen_random_uuid(), 'old session@example.com');
  insert into auth.sessions (id, user_id, created_at)
  select gen_random_uuid(), id, now() - interval '10 years' from auth.users
  where email = 'old session@example.com';`;

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
const site = useSite({}, due);
const broken = useSite({}, due + fault);
const patience = { timeout: 30_000, interval: 500 };
const kept = ["mailed again", "new", "not yet", "owner", "used later", "with a factor"];

const said = (of: typeof site) => of.linesWith("The daily sweep has moved")[0];

const rest = { trash: ["أمس", "قديمة"], attempts: 1 };

test("all that is due is swept soon after the start", async () => {
  await expect.poll(() => left(site), patience).toEqual({ ...rest, accounts: kept });
  await expect
    .poll(() => said(site), patience)
    .toMatch(/expired=1 deleted=1500 others=2503 sessions=0 mails=0/);
});

test("a part that fails is named, and the others are swept", async () => {
  await expect.poll(() => broken.linesWith("A daily sweep failed"), patience).toHaveLength(1);
  expect(broken.output()).toMatch(
    /sweep=database reason="The function sweep of the database failed/,
  );
  await expect.poll(() => said(broken), patience).toMatch(/sessions=1 mails=0/);
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
