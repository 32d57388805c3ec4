-- A way that was away for long has a backlog of any length. Each call looks at 10,000 of it: the
-- callers' statements end after three seconds, and then nothing would ever be told.
create index notices_due on private.notices (way, due_at);
create index notices_batch on private.notices (batch) where batch is not null;

create or replace function public.take_notices(for_way text)
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

create or replace function public.settle_notice(
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

create or replace function public.retry_notices() returns void
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

revoke execute on function private.resting_notices from public;
