-- Tells the owner of new messages. What is to be told is stored with the message, in its transaction;
-- a worker of the site takes it from here and sends it. Any number of sites may do so at once.

-- The ways that the site is set up for, each with what came of it.
create table private.notice_ways (
  way text primary key check (way in ('mail', 'webhook', 'push')),
  is_on boolean not null,
  -- Nothing is sent before: ten minutes after a notice, one minute after a failure.
  next_at timestamptz not null default '-infinity',
  -- Who took `batch` has it until then. A batch that may have arrived stays as it is until it is
  -- settled, so that it is sent again under the same name and not with more in it.
  taken_until timestamptz,
  batch uuid,
  sent_at timestamptz,
  failed_at timestamptz,
  fault text check (fault ~ '^[a-z]{1,20}$'),
  -- What the server said.
  reply text check (char_length(reply) <= 300),
  tested_at timestamptz
);

-- Every site can push: this way is on while there is a device.
insert into private.notice_ways (way, is_on) values ('push', false);

-- The messages that a way has not told yet.
create table private.notices (
  message_id uuid not null references public.contact_messages (id) on delete cascade,
  way text not null,
  attempts smallint not null default 0,
  -- Null: no more is tried for this one. It goes along when another is sent.
  due_at timestamptz default now(),
  batch uuid,
  primary key (message_id, way)
);

-- A way that was away for long has a backlog of any length. Each call looks at 10,000 of it: the
-- callers' statements end after three seconds, and then nothing would ever be told.
create index notices_due on private.notices (way, due_at);
create index notices_batch on private.notices (batch) where batch is not null;

-- Who confirmed the reserved address since the site started is the owner, but has no row yet: the
-- first message makes it, so that it is told too.
create function private.store_notices() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if coalesce(current_setting('request.headers', true), '') <> '' then
    if not exists (select from private.site_owner) then
      insert into private.site_owner (user_id) select private.reserved_accounts()
      on conflict do nothing;
    end if;
    insert into private.notices (message_id, way)
    select a.id, w.way from added a cross join private.notice_ways w
    where a.spam_signs is null and w.is_on
      and (w.way <> 'mail' or exists (select from private.site_owner));
  end if;
  return null;
end
$$;

create trigger store_notices after insert on public.contact_messages
  referencing new table as added
  for each statement execute function private.store_notices();

-- How long to wait after so many attempts; null after the last.
create function private.notice_pause(attempts integer) returns interval
language sql immutable
as $$
  select (array[
    '1 minute', '5 minutes', '30 minutes', '2 hours', '6 hours', '24 hours'
  ]::interval[])[attempts]
$$;

create function public.set_notice_ways(ways text[]) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.require_site();
  insert into private.notice_ways as known (way, is_on)
  select way, true from unnest(ways) way where way <> 'push'
  on conflict (way) do update set is_on = true where not known.is_on;
  update private.notice_ways set is_on = false
  where is_on and way <> all (ways) and way <> 'push';
end
$$;

create function public.take_notices(for_way text)
returns table (batch uuid, recipient text, messages integer, newest json)
language plpgsql security definer set search_path = ''
as $$
declare
  taken private.notice_ways;
  of_batch uuid[];
  first uuid[];
  is_overdue boolean;
begin
  perform private.require_site();
  select * into taken from private.notice_ways w
  where w.way = for_way and w.is_on and w.next_at <= now()
    and (w.taken_until is null or w.taken_until <= now())
  for update skip locked;
  if not found then
    return;
  end if;
  of_batch := array(
    select message_id from private.notices n where n.way = for_way and n.batch = taken.batch
  );
  first := array(
    select message_id from private.notices n where n.way = for_way order by due_at limit 10000
  );
  -- The owner has seen what he has sorted.
  delete from private.notices n
  where n.way = for_way and n.message_id in (
    select m.id from public.contact_messages m
    where m.id = any (first || of_batch) and private.state_of(m) <> 'waiting'
  );
  if not exists (
    select from private.notices n
    where n.way = for_way and n.batch = taken.batch and n.due_at is not null
  ) then
    taken.batch := null;
  end if;
  -- Whoever took it ended before it was settled.
  is_overdue := taken.batch is not null and taken.taken_until is not null;
  if not is_overdue and not exists (
    select from private.notices n where n.way = for_way and n.due_at <= now()
  ) then
    return;
  end if;
  if taken.batch is null then
    taken.batch := gen_random_uuid();
    update private.notices n set batch = taken.batch
    where n.way = for_way and n.message_id = any (first);
    if not found then
      return;
    end if;
  end if;
  update private.notices n
  set attempts = n.attempts + 1, due_at = now() + private.notice_pause(n.attempts + 1)
  where n.way = for_way and n.batch = taken.batch and (is_overdue or n.due_at <= now());
  update private.notice_ways w
  set batch = taken.batch, taken_until = now() + interval '2 minutes' where w.way = for_way;
  of_batch := array(
    select message_id from private.notices n where n.way = for_way and n.batch = taken.batch
  );
  return query
  select taken.batch,
    (select u.email::text from private.site_owner o join auth.users u on u.id = o.user_id),
    cardinality(of_batch),
    (select json_agg(t) from (
      select m.id, m.name, m.email, m.phone, m.message, m.created_at
      from public.contact_messages m where m.id = any (of_batch)
      order by created_at desc, id desc limit 20
    ) t)
  where cardinality(of_batch) > 0;
end
$$;

-- What is tried again later, or no more: when one is due, 10,000 go along with it.
create function private.resting_notices(of_way text) returns setof uuid
language sql stable
as $$
  (select message_id from private.notices
    where way = of_way and due_at > now() order by due_at limit 10000)
  union all
  (select message_id from private.notices where way = of_way and due_at is null limit 10000)
$$;

create function public.settle_notice(
  for_way text, of_batch uuid, outcome text, fault text default null, reply text default null
) returns boolean
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.require_site();
  if (outcome in ('sent', 'retry', 'unknown', 'refused')) is not true then
    raise sqlstate 'PT400' using message = 'Unknown outcome';
  end if;
  update private.notice_ways w set
    sent_at = case outcome when 'sent' then now() else w.sent_at end,
    failed_at = case outcome when 'sent' then w.failed_at else now() end,
    fault = case outcome when 'sent' then null else settle_notice.fault end,
    reply = case outcome when 'sent' then null else left(settle_notice.reply, 300) end,
    next_at = case when outcome = 'sent' and w.fault is not null then now() else w.next_at end
  where w.way = for_way and (of_batch is null or w.batch = of_batch);
  if not found then
    return false;
  end if;
  if of_batch is not null then
    update private.notice_ways w set
      batch = case outcome when 'unknown' then w.batch end,
      taken_until = null,
      next_at = now() + case outcome when 'sent' then interval '10 minutes' else least(
        interval '10 minutes',
        (select private.notice_pause(max(n.attempts)) from private.notices n
          where n.way = for_way and n.batch = of_batch)
      ) end
    where w.way = for_way;
    delete from private.notices n where outcome = 'sent' and n.way = for_way and n.batch = of_batch;
    update private.notices n set due_at = null
    where outcome = 'refused' and n.way = for_way and n.batch = of_batch;
  end if;
  if outcome = 'sent' then
    update private.notices n set due_at = now()
    where n.way = for_way and n.message_id = any (array(select private.resting_notices(for_way)));
  end if;
  return true;
end
$$;

-- A notice that is given up has no next time: greatest() passes over a null.
create function public.notice_state()
returns table (
  way text, sent_at timestamptz, failed_at timestamptz, fault text, reply text, stuck bigint,
  next_at timestamptz
)
language sql stable security definer set search_path = ''
as $$
  select w.way, w.sent_at, w.failed_at, w.fault, w.reply,
    count(n.message_id) filter (
      where n.attempts > 0 or n.due_at < now() - interval '15 minutes'
    ),
    case when count(n.due_at) > 0 then greatest(min(n.due_at), w.next_at) end
  from private.notice_ways w left join private.notices n on n.way = w.way
  where w.is_on and private.owns_inbox() and private.second_factor_is_met()
  group by w.way order by w.way
$$;

create function public.retry_notices() returns void
language plpgsql security definer set search_path = ''
as $$
declare
  each_way text;
begin
  perform private.require_owner();
  for each_way in select way from private.notice_ways loop
    update private.notices n set due_at = now(), attempts = 0
    where n.way = each_way and n.message_id = any (array(select private.resting_notices(each_way)));
  end loop;
  update private.notice_ways set next_at = now() where next_at > now();
end
$$;

-- Allows one test of a way every half a minute, and returns the owner's address.
create function public.begin_notice_test(for_way text) returns text
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.require_owner();
  update private.notice_ways w set tested_at = now()
  where w.way = for_way and w.is_on
    and (w.tested_at is null or w.tested_at < now() - interval '30 seconds');
  if not found then
    raise sqlstate 'PT429' using message = 'Too many tests', detail = '30';
  end if;
  return (select email from auth.users where id = auth.uid());
end
$$;
comment on function public.take_notices is 'Nullable: recipient';
comment on function public.notice_state is 'Nullable: sent_at, failed_at, fault, reply, next_at';
revoke execute on all functions in schema private from public;

revoke execute on function
  public.set_notice_ways, public.take_notices, public.settle_notice,
  public.notice_state, public.retry_notices, public.begin_notice_test
  from public, anon, authenticated, service_role;

grant execute on function public.set_notice_ways, public.take_notices, public.settle_notice
  to anon, service_role;

grant execute on function public.notice_state, public.retry_notices, public.begin_notice_test
  to authenticated;
