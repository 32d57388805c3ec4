-- Notifications to the owner about new messages. They are stored with the message, in its transaction. The
-- processes of the site that have the channel take and send them, each at least once.

-- The channels, and the result of their last delivery.
create table private.notification_channels (
  channel text primary key check (channel in ('mail', 'webhook')),
  -- Nothing is sent before this.
  next_at timestamptz not null default '-infinity',
  -- How many failed in a row.
  failures integer not null default 0,
  sent_at timestamptz,
  failed_at timestamptz,
  fault text check (fault ~ '^[a-z]{1,20}$'),
  -- What the server answered.
  reply text check (char_length(reply) <= 300),
  tested_at timestamptz
);

insert into private.notification_channels (channel) values ('mail'), ('webhook');

-- The messages that a channel has not delivered yet.
create table private.notifications (
  message_id uuid not null references public.contact_messages (id) on delete cascade,
  -- No reference: each message would wait for whoever has locked the channel's row.
  channel text not null,
  -- It is tried for a day from then on. Later it joins the next notification that is sent. If nobody has
  -- ever taken it, because no process has the channel, public.sweep deletes it.
  since timestamptz not null default now(),
  attempts integer not null default 0,
  -- Until then it belongs to the process that took it.
  locked_until timestamptz,
  primary key (message_id, channel)
);

create index notifications_since on private.notifications (channel, since);

-- For leave_message: announces a message.
create function private.store_notifications(message uuid) returns void
language plpgsql set search_path = ''
as $$
begin
  -- The owner of a reserved address may have no row yet, and the first message is to be mailed too.
  perform private.store_reserved_owner();
  insert into private.notifications (message_id, channel)
  select message, c.channel from private.notification_channels c
  where c.channel <> 'mail' or private.has_owner();
end
$$;

-- Takes all that a channel has to send now, as one notification, for two minutes. Returns no row if nothing
-- is due, or another process is sending. `batch` is made of the messages' ids, so that a repeat has the
-- same one. `newest` holds the messages that are shown in full.
create function public.take_notifications(for_channel text)
returns table (
  batch uuid, locked_until timestamptz, recipient text, messages integer, newest json
)
language plpgsql security definer set search_path = ''
as $$
declare
  ids uuid[];
begin
  perform from private.notification_channels c
  where c.channel = for_channel and c.next_at <= now()
  for update skip locked;
  if not found then
    return;
  end if;
  -- The owner has sorted these messages, and so has seen them.
  delete from private.notifications n using public.contact_messages m
  where n.channel = for_channel and m.id = n.message_id and m.state <> 'waiting';
  if exists (
    select from private.notifications n where n.channel = for_channel and n.locked_until > now()
  ) or not exists (
    select from private.notifications n
    where n.channel = for_channel and n.since > now() - interval '1 day'
  ) then
    return;
  end if;
  ids := array(
    select n.message_id from private.notifications n where n.channel = for_channel
    order by n.since desc limit 10000
  );
  locked_until := now() + interval '2 minutes';
  update private.notifications n set
    locked_until = take_notifications.locked_until, attempts = n.attempts + 1
  -- This is not any(), which compares each row with the whole list if the plan is a generic one.
  where n.channel = for_channel and n.message_id in (select unnest(ids));
  return query
  select
    (select md5(string_agg(id::text, ' ' order by id))::uuid from unnest(ids) id),
    take_notifications.locked_until,
    (select u.email::text from private.site_owner o join auth.users u on u.id = o.user_id),
    cardinality(ids),
    (select json_agg(private.shown(m) order by m.created_at desc, m.id desc) from (
      select m.* from public.contact_messages m where m.id in (select unnest(ids))
      order by m.created_at desc, m.id desc limit 20
    ) m);
end
$$;

-- Records the result of the notification that was taken until `taken_until`, or of a test if that is null.
-- Does nothing if another process has taken the notification since.
create function public.settle_notification(
  for_channel text, taken_until timestamptz, is_sent boolean, fault text default null,
  reply text default null
) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  if taken_until is not null then
    if is_sent then
      delete from private.notifications n
      where n.channel = for_channel and n.locked_until = taken_until;
    else
      update private.notifications n set locked_until = null
      where n.channel = for_channel and n.locked_until = taken_until;
    end if;
    if not found then
      return;
    end if;
  end if;
  update private.notification_channels c set
    sent_at = case when is_sent then now() else c.sent_at end,
    failed_at = case when is_sent then c.failed_at else now() end,
    fault = case when not is_sent then settle_notification.fault end,
    reply = case when not is_sent then left(settle_notification.reply, 300) end,
    failures = case
      when is_sent then 0
      when taken_until is null then c.failures
      else c.failures + 1
    end,
    next_at = case
      -- Servers lock out clients that try too often.
      when taken_until is not null and not is_sent and c.failures = 0 then now() + interval '1 minute'
      when taken_until is not null and not is_sent and c.failures = 1 then now() + interval '5 minutes'
      when taken_until is not null then now() + interval '10 minutes'
      -- A test that arrives after a failure ends the wait.
      when is_sent and c.fault is not null then now()
      else c.next_at
    end
  where c.channel = for_channel;
end
$$;

-- For the owner: each channel, and how many messages it has failed to deliver until now. An attempt that is
-- on its way has not failed. `next_at` is null if the messages are given up.
create function public.notification_state()
returns table (
  channel text, sent_at timestamptz, failed_at timestamptz, fault text, reply text, stuck bigint,
  next_at timestamptz
)
language sql stable security definer set search_path = ''
as $$
  select c.channel, c.sent_at, c.failed_at, c.fault, c.reply,
    count(n.message_id) filter (
      where n.attempts > coalesce((n.locked_until > now())::integer, 0)
        or n.since < now() - interval '15 minutes'
    ),
    case when max(n.since) > now() - interval '1 day' then greatest(c.next_at, now()) end
  from private.notification_channels c left join private.notifications n on n.channel = c.channel
  where private.owns_inbox()
  group by c.channel order by c.channel
$$;

-- For the owner: tries all that was not delivered again, at once and for another day.
create function public.retry_notifications() returns void
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.require_owner();
  update private.notifications set since = now(), attempts = 0 where attempts > 0;
  update private.notification_channels set next_at = now(), failures = 0 where failures > 0;
end
$$;

-- For the owner: allows one test of a channel every 30 seconds. Returns the owner's address.
create function public.begin_notification_test(for_channel text) returns text
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.require_owner();
  update private.notification_channels c set tested_at = now()
  where c.channel = for_channel
    and (c.tested_at is null or c.tested_at < now() - interval '30 seconds');
  if not found then
    raise sqlstate 'PT429' using message = 'Too many tests', detail = '30';
  end if;
  return (select email from auth.users where id = auth.uid());
end
$$;

grant execute on function public.take_notifications, public.settle_notification to service_role;
grant execute on function
  public.notification_state, public.retry_notifications, public.begin_notification_test
  to authenticated;
