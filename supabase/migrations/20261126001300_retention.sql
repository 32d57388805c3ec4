-- How long messages are kept, how their age or their sender deletes them, and how open boards hear of it.

-- How long messages are kept. Update the row to change it.
create table private.retention (
  singleton boolean primary key default true check (singleton),
  months integer not null default 24 check (months > 0),
  -- How long spam is kept after it became spam, and trash after it was deleted.
  discarded_days integer not null default 30 check (discarded_days > 0)
);
insert into private.retention default values;

-- What the privacy page says.
create function public.privacy_terms(
  out months integer, out discarded_days integer, out is_counting boolean
)
language sql stable security definer set search_path = ''
as $$
  select r.months, r.discarded_days, c.is_on from private.retention r, private.counting c
$$;

-- For the site: one batch of the daily sweep, which ends when nothing is left. Moves messages that were
-- kept long enough to the trash. Deletes for good what was long enough in trash or spam, and other rows
-- that have expired. A clock that is ahead can therefore only fill the trash. `with_accounts`: also deletes
-- accounts that did not confirm their address in the week after the last mail for it, and accounts that own
-- nothing and were not used in the ninety days after their first one.
create function public.sweep(
  with_accounts boolean default false, out expired integer, out deleted integer, out others integer
)
language plpgsql security definer set search_path = ''
as $$
declare
  kept private.retention := (select r from private.retention r);
  sent_before timestamptz := now() - make_interval(months => kept.months);
  discarded_before timestamptz := now() - make_interval(days => kept.discarded_days);
  swept integer;
begin
  update public.contact_messages set deleted_at = now(), expired_at = now() where id in (
    select m.id from public.contact_messages m
    where m.state in ('waiting', 'answered', 'archived')
      and m.created_at < sent_before and (m.restored_at < sent_before) is not false
    limit 1000 for update skip locked
  );
  get diagnostics expired = row_count;
  delete from public.contact_messages where id in (
    select m.id from public.contact_messages m
    where m.state in ('spam', 'trash')
      and coalesce(m.deleted_at, m.spam_at) < discarded_before
    limit 1000 for update skip locked
  );
  get diagnostics deleted = row_count;
  others := private.sweep_attempts(1000);
  delete from private.counts where day < current_date - 400;
  get diagnostics swept = row_count;
  others := others + swept;
  delete from private.notifications
  where attempts = 0 and since < now() - interval '1 day';
  get diagnostics swept = row_count;
  others := others + swept;
  if with_accounts then
    delete from auth.users where id in (
      select u.id from auth.users u
      where (
          u.email_confirmed_at is null
          and greatest(u.created_at, u.confirmation_sent_at) < now() - interval '7 days'
          or u.created_at < now() - interval '90 days'
          and greatest(u.last_sign_in_at, u.updated_at) < u.created_at + interval '1 day'
          and not exists (select from auth.mfa_factors f where f.user_id = u.id)
        )
        and not exists (select from private.site_owner o where o.user_id = u.id)
      limit 500 for update of u skip locked
    );
    get diagnostics swept = row_count;
    others := others + swept;
  end if;
end
$$;

-- For the site: a message for its sender, and the latest time of its deletion, unless the owner takes it
-- out of the trash later. Null if it is deleted.
create function public.read_receipt(id uuid) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  return (
    select to_jsonb(m) || jsonb_build_object(
      'kept_until', greatest(m.created_at, m.restored_at)
        + make_interval(months => r.months, days => r.discarded_days)
    )
    from public.contact_messages m, private.retention r where m.id = $1
  );
end
$$;

-- For the site: deletes a message for its sender, with its notifications. False if it was
-- deleted before.
create function public.withdraw_message(id uuid) returns boolean
language plpgsql security definer set search_path = ''
as $$
begin
  delete from public.contact_messages m where m.id = $1;
  return found;
end
$$;

-- Realtime reads the row of a change with the rights of each reader, so nobody would hear of a deleted row.
-- Policies do not apply to deletions either. Each deletion therefore updates this row, and open boards
-- reload.
create table public.inbox_deletions (
  -- The embedded part reads a row by its id.
  id uuid primary key default gen_random_uuid(),
  singleton boolean not null unique default true check (singleton),
  last_at timestamptz not null default now()
);
insert into public.inbox_deletions default values;

alter table public.inbox_deletions enable row level security;
revoke all on public.inbox_deletions from anon, authenticated, service_role;
grant select (id) on public.inbox_deletions to service_role;
grant select on public.inbox_deletions to authenticated;
create policy "deletions are read by the inbox's readers" on public.inbox_deletions
  for select to authenticated using ((select private.may_read_inbox()));
alter publication supabase_realtime add table public.inbox_deletions;

create function private.tell_boards() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update public.inbox_deletions set last_at = now() where exists (select from removed);
  return null;
end
$$;

create trigger tell_boards after delete on public.contact_messages
  referencing old table as removed for each statement execute function private.tell_boards();

grant execute on function
  public.privacy_terms, public.sweep, public.read_receipt, public.withdraw_message to service_role;
