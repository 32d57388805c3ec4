import { expect, test, vi } from "vitest";
import { startTestServer } from "#tests/support/embedded-server.ts";
import { readMessages, storeMessages } from "#tests/support/messages.ts";
import { startSite } from "#tests/support/site.ts";
import { withSuperuser } from "#tests/support/superuser.ts";

// More than two batches of expired counts, and one that has not expired.
const counts = `
  insert into private.attempts (name, subject, points, expires_at)
  select 'mail', 'old ' || n, 1, now() - interval '1 hour' from generate_series(1, 2500) n;
  insert into private.attempts values ('mail', 'new', 1, now() + interval '1 hour');`;

const attemptsLeft = (dataDir: string) =>
  withSuperuser(dataDir, async (sql) => {
    const [row] = await sql`select count(*)::int as left from private.attempts`;
    return row?.["left"];
  });

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

const changesLeft = (dataDir: string) =>
  withSuperuser(dataDir, async (sql) => {
    const [row] = await sql`select count(*)::int as left from private.changes`;
    return row?.["left"];
  });

const trashLeft = async (dataDir: string) =>
  (await readMessages(dataDir)).flatMap(({ deleted_at: at, message }) => (at ? [message] : []));

const accounts = `
  insert into auth.users (id, email, created_at, updated_at, email_confirmed_at, confirmation_sent_at)
  select gen_random_uuid(), name || '@example.com', now() - made, now() - used,
    case when confirmed then now() - made end, now() - mailed
  from (values
    ('never confirmed', interval '8 days', interval '8 days', false, interval '8 days'),
    ('mailed again', '8 days', '8 days', false, '1 day'),
    ('unused', '91 days', '91 days', true, '91 days'),
    ('used later', '91 days', '89 days', true, '91 days'),
    ('new', '1 day', '1 day', true, '1 day'),
    ('with a factor', '91 days', '91 days', true, '91 days'),
    ('owner', '91 days', '91 days', true, '91 days')
  ) as u (name, made, used, confirmed, mailed);
  insert into auth.mfa_factors (id, user_id, factor_type, status, created_at, updated_at)
  select gen_random_uuid(), id, 'totp', 'verified', now(), now() from auth.users
  where email = 'with a factor@example.com';
  insert into private.site_owner (user_id)
  select id from auth.users where email = 'owner@example.com';`;

test("accounts that nobody confirmed or used are deleted soon after the start", async () => {
  const site = await startSite({}, accounts);
  try {
    const left = () =>
      withSuperuser(site.dataDir, async (sql) => {
        const rows = await sql`select split_part(email, '@', 1) as name from auth.users order by 1`;
        return rows.map(({ name }) => name);
      });
    const kept = ["mailed again", "new", "owner", "used later", "with a factor"];
    await vi.waitFor(async () => expect(await left()).toEqual(kept), {
      timeout: 30_000,
      interval: 500,
    });
  } finally {
    await site.stop();
  }
});

test.each(["sweep_attempts", "sweep_messages", "sweep_changes"])(
  "all that is due is deleted soon after the start; a fault of %s is logged and does not stop the rest",
  async (broken) => {
    const fault = `
      alter function public.${broken} rename to not_${broken};
      create function public.${broken}() returns void language plpgsql
      as $$ begin raise exception 'broken'; end $$;`;
    const site = await startSite({}, counts + trash + changes + fault);
    try {
      const left = async () => ({
        sweep_attempts: await attemptsLeft(site.dataDir),
        sweep_messages: (await trashLeft(site.dataDir)).length,
        sweep_changes: await changesLeft(site.dataDir),
      });
      const wanted = { sweep_attempts: 1, sweep_messages: 1, sweep_changes: 1 };
      const kept = { sweep_attempts: 2501, sweep_messages: 1501, sweep_changes: 251 };
      await vi.waitFor(
        async () =>
          expect(await left()).toEqual({ ...wanted, [broken]: Reflect.get(kept, broken) }),
        { timeout: 30_000, interval: 500 },
      );
      expect(await trashLeft(site.dataDir)).toContain("أمس");
      expect(site.output()).toContain(`The function ${broken} of the database failed`);
    } finally {
      await site.stop();
    }
  },
);

test("a site on an outside Supabase also purges trash and old changes", async () => {
  const supabase = await startTestServer();
  const rows = [31, 1].map((days) => ({
    name: "ن",
    email: "n@example.com",
    message: `قبل ${days}`,
    deleted_at: new Date(Date.now() - days * 24 * 60 * 60 * 1000).toISOString(),
  }));
  await storeMessages(supabase.dataDir, rows);
  await withSuperuser(supabase.dataDir, (sql) => sql.script(changes));
  const site = await startSite({
    SUPABASE_URL: supabase.url,
    SUPABASE_PUBLISHABLE_KEY: supabase.publishableKey,
    SITE_SECRET: "a secret that counts for nothing here",
  });
  try {
    const left = async () => [
      await trashLeft(supabase.dataDir),
      await changesLeft(supabase.dataDir),
    ];
    await vi.waitFor(async () => expect(await left()).toEqual([["قبل 1"], 1]), {
      timeout: 30_000,
      interval: 500,
    });
  } finally {
    await site.stop();
    await supabase.close();
  }
});
