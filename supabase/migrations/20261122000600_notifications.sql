-- Tells the owner of new messages. What is to be told is stored with the message, in its transaction;
-- a worker of the site takes it from here and sends it. Any number of sites may do so at once.

-- The channels that the site is set up for, each with what came of it.
create table private.notification_channels (
  channel text primary key check (channel in ('mail', 'webhook', 'push')),
  is_on boolean not null,
  -- Nothing is sent before: ten minutes after a notification, one minute after a failure.
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

-- Every site can push: this channel is on while there is a device.
insert into private.notification_channels (channel, is_on) values ('push', false);

-- The messages that a channel has not told yet.
create table private.notifications (
  message_id uuid not null references public.contact_messages (id) on delete cascade,
  channel text not null,
  attempts smallint not null default 0,
  -- Null: no more is tried for this one. It goes along when another is sent.
  due_at timestamptz default now(),
  batch uuid,
  primary key (message_id, channel)
);

-- A channel that was away for long has a backlog of any length. Each call looks at 10,000 of it: the
-- callers' statements end after three seconds, and then nothing would ever be told.
create index notifications_due on private.notifications (channel, due_at);
create index notifications_batch on private.notifications (batch) where batch is not null;

-- Who confirmed the reserved address since the site started is the owner, but has no row yet: the
-- first message makes it, so that it is told too.
create function private.store_notifications() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if coalesce(current_setting('request.headers', true), '') <> '' then
    if not exists (select from private.site_owner) then
      insert into private.site_owner (user_id) select private.reserved_accounts()
      on conflict do nothing;
    end if;
    insert into private.notifications (message_id, channel)
    select a.id, w.channel from added a cross join private.notification_channels w
    where a.spam_signs is null and w.is_on
      and (w.channel <> 'mail' or exists (select from private.site_owner));
  end if;
  return null;
end
$$;

create trigger store_notifications after insert on public.contact_messages
  referencing new table as added
  for each statement execute function private.store_notifications();

-- How long to wait after so many attempts; null after the last.
create function private.notification_pause(attempts integer) returns interval
language sql immutable
as $$
  select (array[
    '1 minute', '5 minutes', '30 minutes', '2 hours', '6 hours', '24 hours'
  ]::interval[])[attempts]
$$;

create function public.set_notification_channels(channels text[]) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.require_site();
  insert into private.notification_channels as known (channel, is_on)
  select channel, true from unnest(channels) channel where channel <> 'push'
  on conflict (channel) do update set is_on = true where not known.is_on;
  update private.notification_channels set is_on = false
  where is_on and channel <> all (channels) and channel <> 'push';
end
$$;

create function public.take_notifications(for_channel text)
returns table (batch uuid, recipient text, messages integer, newest json)
language plpgsql security definer set search_path = ''
as $$
declare
  taken private.notification_channels;
  of_batch uuid[];
  first uuid[];
  is_overdue boolean;
begin
  perform private.require_site();
  select * into taken from private.notification_channels w
  where w.channel = for_channel and w.is_on and w.next_at <= now()
    and (w.taken_until is null or w.taken_until <= now())
  for update skip locked;
  if not found then
    return;
  end if;
  of_batch := array(
    select message_id from private.notifications n where n.channel = for_channel and n.batch = taken.batch
  );
  first := array(
    select message_id from private.notifications n where n.channel = for_channel order by due_at limit 10000
  );
  -- The owner has seen what he has sorted.
  delete from private.notifications n
  where n.channel = for_channel and n.message_id in (
    select m.id from public.contact_messages m
    where m.id = any (first || of_batch) and private.state_of(m) <> 'waiting'
  );
  if not exists (
    select from private.notifications n
    where n.channel = for_channel and n.batch = taken.batch and n.due_at is not null
  ) then
    taken.batch := null;
  end if;
  -- Whoever took it ended before it was settled.
  is_overdue := taken.batch is not null and taken.taken_until is not null;
  if not is_overdue and not exists (
    select from private.notifications n where n.channel = for_channel and n.due_at <= now()
  ) then
    return;
  end if;
  if taken.batch is null then
    taken.batch := gen_random_uuid();
    update private.notifications n set batch = taken.batch
    where n.channel = for_channel and n.message_id = any (first);
    if not found then
      return;
    end if;
  end if;
  update private.notifications n
  set attempts = n.attempts + 1, due_at = now() + private.notification_pause(n.attempts + 1)
  where n.channel = for_channel and n.batch = taken.batch and (is_overdue or n.due_at <= now());
  update private.notification_channels w
  set batch = taken.batch, taken_until = now() + interval '2 minutes' where w.channel = for_channel;
  of_batch := array(
    select message_id from private.notifications n where n.channel = for_channel and n.batch = taken.batch
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
create function private.resting_notifications(of_channel text) returns setof uuid
language sql stable
as $$
  (select message_id from private.notifications
    where channel = of_channel and due_at > now() order by due_at limit 10000)
  union all
  (select message_id from private.notifications where channel = of_channel and due_at is null limit 10000)
$$;

create function public.settle_notification(
  for_channel text, of_batch uuid, result text, fault text default null, reply text default null
) returns boolean
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.require_site();
  if (result in ('sent', 'retry', 'unknown', 'refused')) is not true then
    raise sqlstate 'PT400' using message = 'Unknown result';
  end if;
  update private.notification_channels w set
    sent_at = case result when 'sent' then now() else w.sent_at end,
    failed_at = case result when 'sent' then w.failed_at else now() end,
    fault = case result when 'sent' then null else settle_notification.fault end,
    reply = case result when 'sent' then null else left(settle_notification.reply, 300) end,
    next_at = case when result = 'sent' and w.fault is not null then now() else w.next_at end
  where w.channel = for_channel and (of_batch is null or w.batch = of_batch);
  if not found then
    return false;
  end if;
  if of_batch is not null then
    update private.notification_channels w set
      batch = case result when 'unknown' then w.batch end,
      taken_until = null,
      next_at = now() + case result when 'sent' then interval '10 minutes' else least(
        interval '10 minutes',
        (select private.notification_pause(max(n.attempts)) from private.notifications n
          where n.channel = for_channel and n.batch = of_batch)
      ) end
    where w.channel = for_channel;
    delete from private.notifications n where result = 'sent' and n.channel = for_channel and n.batch = of_batch;
    update private.notifications n set due_at = null
    where result = 'refused' and n.channel = for_channel and n.batch = of_batch;
  end if;
  if result = 'sent' then
    update private.notifications n set due_at = now()
    where n.channel = for_channel and n.message_id = any (array(select private.resting_notifications(for_channel)));
  end if;
  return true;
end
$$;

-- A notification that is given up has no next time: greatest() passes over a null.
create function public.notification_state()
returns table (
  channel text, sent_at timestamptz, failed_at timestamptz, fault text, reply text, stuck bigint,
  next_at timestamptz
)
language sql stable security definer set search_path = ''
as $$
  select w.channel, w.sent_at, w.failed_at, w.fault, w.reply,
    count(n.message_id) filter (
      where n.attempts > 0 or n.due_at < now() - interval '15 minutes'
    ),
    case when count(n.due_at) > 0 then greatest(min(n.due_at), w.next_at) end
  from private.notification_channels w left join private.notifications n on n.channel = w.channel
  where w.is_on and private.owns_inbox() and private.second_factor_is_met()
  group by w.channel order by w.channel
$$;

create function public.retry_notifications() returns void
language plpgsql security definer set search_path = ''
as $$
declare
  each_channel text;
begin
  perform private.require_owner();
  for each_channel in select channel from private.notification_channels loop
    update private.notifications n set due_at = now(), attempts = 0
    where n.channel = each_channel and n.message_id = any (array(select private.resting_notifications(each_channel)));
  end loop;
  update private.notification_channels set next_at = now() where next_at > now();
end
$$;

-- Allows one test of a channel every half a minute, and returns the owner's address.
create function public.begin_notification_test(for_channel text) returns text
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.require_owner();
  update private.notification_channels w set tested_at = now()
  where w.channel = for_channel and w.is_on
    and (w.tested_at is null or w.tested_at < now() - interval '30 seconds');
  if not found then
    raise sqlstate 'PT429' using message = 'Too many tests', detail = '30';
  end if;
  return (select email from auth.users where id = auth.uid());
end
$$;
comment on function public.take_notifications is 'Nullable: recipient';
comment on function public.notification_state is 'Nullable: sent_at, failed_at, fault, reply, next_at';
revoke execute on all functions in schema private from public;

revoke execute on function
  public.set_notification_channels, public.take_notifications, public.settle_notification,
  public.notification_state, public.retry_notifications, public.begin_notification_test
  from public, anon, authenticated, service_role;

grant execute on function public.set_notification_channels, public.take_notifications, public.settle_notification
  to anon, service_role;

grant execute on function public.notification_state, public.retry_notifications, public.begin_notification_test
  to authenticated;
