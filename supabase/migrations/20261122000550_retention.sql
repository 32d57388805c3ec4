-- How long messages are kept, how they are deleted by age and by their sender, and how open boards hear of
-- it.

-- How long messages are kept. Update the row to change it.
create table private.retention (
  singleton boolean primary key default true check (singleton),
  months integer not null default 24 check (months > 0),
  -- Spam since it became spam, and trash since it was deleted.
  discarded_days integer not null default 30 check (discarded_days > 0)
);
comment on table private.retention is 'Copied';
insert into private.retention default values;

-- What the privacy page says.
create function public.privacy_terms(
  out months integer, out discarded_days integer, out is_counting boolean
)
language sql stable security definer set search_path = ''
as $$
  select r.months, r.discarded_days, c.is_on from private.retention r, private.counting c
$$;

-- A batch of the daily sweep: deletes up to 1,000 messages that were kept long enough, but none that was
-- sorted within a day: its undo must work. Returns how many.
create function public.sweep_messages() returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  kept private.retention := (select r from private.retention r);
  discarded_before timestamptz := now() - make_interval(days => kept.discarded_days);
  deleted integer;
begin
  if not private.may_sweep() then
    return 0;
  end if;
  delete from public.contact_messages where id in (
    select m.id from public.contact_messages m
    where m.id in (
      select old.id from private.box_rows(
        'any', now() - make_interval(months => kept.months),
        '00000000-0000-0000-0000-000000000000', 1000
      ) old
      union all (
        select m.id from public.contact_messages m
        where private.state_of(m) = 'spam' and m.spam_at < discarded_before
        limit 1000
      )
      union all (
        select m.id from public.contact_messages m
        where private.state_of(m) = 'trash' and m.deleted_at < discarded_before
        limit 1000
      )
    ) and not exists (
      select from private.changes c
      where c.message_id = m.id and c.made_at > now() - interval '1 day'
    )
    limit 1000 for update of m skip locked
  );
  get diagnostics deleted = row_count;
  return deleted;
end
$$;

-- For the site: a message for its sender, and until when it is kept at most. No row: it is deleted.
create function public.read_receipt(id uuid)
returns table (
  name text, email text, phone text, message text, created_at timestamptz, kept_until timestamptz
)
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_site();
  return query
  select m.name, m.email, m.phone, m.message, m.created_at,
    m.created_at + make_interval(months => r.months)
  from public.contact_messages m, private.retention r where m.id = $1;
end
$$;

-- For the site: deletes a message for its sender, with its undo and its notifications. False if it
-- was deleted before.
create function public.withdraw_message(id uuid) returns boolean
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.require_site();
  delete from public.contact_messages m where m.id = $1;
  return found;
end
$$;

-- The row of each change is read as its reader, so nobody would hear of a deletion, and policies do
-- not decide about deletions. Each one updates this row instead: open boards reload.
create table public.inbox_deletions (
  -- By which the embedded part reads a row.
  id uuid primary key default gen_random_uuid(),
  singleton boolean not null unique default true check (singleton),
  last_at timestamptz not null default now()
);
comment on table public.inbox_deletions is 'Not copied: only its updates matter';
insert into public.inbox_deletions default values;

alter table public.inbox_deletions enable row level security;
revoke all on public.inbox_deletions from anon, authenticated;
grant select on public.inbox_deletions to authenticated;
create policy "deletions are seen by the inbox's readers" on public.inbox_deletions
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

comment on function public.read_receipt is 'Nullable: phone';

grant execute on function public.privacy_terms to anon, authenticated, service_role;
grant execute on function public.sweep_messages, public.read_receipt, public.withdraw_message
  to anon, service_role;
