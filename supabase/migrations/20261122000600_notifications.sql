-- Notifications to the owner about new messages. They are stored with the message, in its
-- transaction; a worker of the site takes and sends them. Several sites may do so at once.

-- Configured channels and the result of their last delivery.
create table private.notification_channels (
  channel text primary key check (channel in ('mail', 'webhook')),
  is_on boolean not null default false,
  -- Nothing is sent before this: ten minutes after a success, 1 to 10 minutes after a failure.
  next_at timestamptz not null default '-infinity',
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
  attempts smallint not null default 0,
  -- Null: it is given up, but joins the next notification that is sent.
  due_at timestamptz default now(),
  -- The notification in which it is on its way, or perhaps arrived: it is sent again under this id and
  -- with the same messages, until its result is known. Other messages never come under a known id,
  -- because who got it may take them for a repeat.
  sent_as uuid,
  -- Until then it belongs to the site that took it.
  locked_until timestamptz,
  primary key (message_id, channel)
);

create index notifications_due on private.notifications (channel, due_at);

-- Stores what a new message is to be announced by (public.leave_message).
create function private.store_notifications(message uuid) returns void
language plpgsql set search_path = ''
as $$
begin
  -- So that the first message is mailed too.
  perform private.store_reserved_owner();
  insert into private.notifications (message_id, channel)
  select message, c.channel from private.notification_channels c
  where c.is_on and (c.channel <> 'mail' or private.has_owner());
end
$$;

-- How long to wait after so many attempts; null after the last.
create function private.notification_pause(attempts integer) returns interval
language sql immutable
return ('{1 minute, 5 minutes, 30 minutes, 2 hours, 6 hours, 24 hours}'::interval[])[attempts];

-- Turns on the channels that the site is set up for, and the others off. Called at each start.
create function public.set_notification_channels(channels text[]) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.require_site();
  update private.notification_channels set is_on = not is_on
  where is_on <> (channel = any (channels));
end
$$;

-- Takes for two minutes all that a channel has to send now, as one notification. No row: nothing is
-- due, or another site is sending. `newest` holds the messages that are shown in full.
create function public.take_notifications(for_channel text)
returns table (batch uuid, recipient text, messages integer, newest json)
language plpgsql security definer set search_path = ''
as $$
declare
  of_batch uuid[];
begin
  perform private.require_site();
  perform from private.notification_channels c
  where c.channel = for_channel and c.is_on and c.next_at <= now()
  for update skip locked;
  if not found then
    return;
  end if;
  -- The owner has sorted these messages, and so has seen them.
  delete from private.notifications n using public.contact_messages m
  where n.channel = for_channel and m.id = n.message_id and m.state <> 'waiting';
  -- One that is in doubt goes before newer messages.
  select n.sent_as into batch from private.notifications n
  where n.channel = for_channel and n.sent_as is not null limit 1;
  if exists (
    select from private.notifications n where n.channel = for_channel and n.locked_until > now()
  ) or not exists (
    select from private.notifications n where n.channel = for_channel and n.due_at <= now()
  ) then
    return;
  end if;
  -- Those that wait, or are given up, join those that are due.
  of_batch := array(
    select n.message_id from private.notifications n
    where n.channel = for_channel and (batch is null or n.sent_as = batch)
    order by n.due_at limit 10000
  );
  batch := coalesce(batch, gen_random_uuid());
  update private.notifications n set
    sent_as = batch,
    locked_until = now() + interval '2 minutes',
    attempts = n.attempts + case when n.due_at <= now() then 1 else 0 end
  -- Not any(): in a plan for any list it compares each row with the whole list.
  where n.channel = for_channel and n.message_id in (select unnest(of_batch));
  return query
  select batch,
    (select u.email::text from private.site_owner o join auth.users u on u.id = o.user_id),
    cardinality(of_batch),
    (select json_agg(t) from (
      select m.* from public.contact_messages m where m.id in (select unnest(of_batch))
      order by m.created_at desc, m.id desc limit 20
    ) t);
end
$$;

-- Records the result of a notification: `sent` is delivered, `retry` not delivered, `unknown` perhaps
-- delivered, `refused` given up. Without a batch it was a test. After a success all that waits joins
-- the next notification. False if the batch was settled before.
create function public.settle_notification(
  for_channel text, of_batch uuid, result text, fault text default null, reply text default null
) returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  is_sent constant boolean := result = 'sent';
  pause interval := '10 minutes';
begin
  perform private.require_site();
  if (result in ('sent', 'retry', 'unknown', 'refused')) is not true then
    raise sqlstate 'PT400' using message = 'Unknown result';
  end if;
  if of_batch is not null then
    -- However many messages come, a channel that fails is tried after 1, 5 and then every 10 minutes:
    -- servers lock out clients that try too often, and each try may deliver the batch once more.
    select case when is_sent then pause else least(pause, private.notification_pause(max(n.attempts))) end
    into pause from private.notifications n
    where n.channel = for_channel and n.sent_as = of_batch having count(*) > 0;
    if not found then
      return false;
    end if;
    update private.notifications n set
      locked_until = null,
      due_at = case
        when result = 'refused' then null
        when n.due_at <= now() then now() + private.notification_pause(n.attempts)
        else n.due_at
      end
    where n.channel = for_channel and n.sent_as = of_batch and not is_sent;
    -- In doubt it stays as it is, until it is given up.
    update private.notifications n set sent_as = null
    where n.channel = for_channel and n.sent_as = of_batch and (result <> 'unknown' or not exists (
      select from private.notifications d
      where d.channel = for_channel and d.sent_as = of_batch and d.due_at is not null
    )) and not is_sent;
  end if;
  if is_sent then
    delete from private.notifications n where n.channel = for_channel and n.sent_as = of_batch;
    update private.notifications n set due_at = now()
    where n.channel = for_channel and (n.due_at > now() or n.due_at is null);
  end if;
  update private.notification_channels c set
    sent_at = case when is_sent then now() else c.sent_at end,
    failed_at = case when is_sent then c.failed_at else now() end,
    fault = case when not is_sent then settle_notification.fault end,
    reply = case when not is_sent then left(settle_notification.reply, 300) end,
    next_at = case
      when of_batch is not null then now() + pause
      -- A test that arrives after a failure ends the wait.
      when is_sent and c.fault is not null then now()
      else c.next_at
    end
  where c.channel = for_channel;
  return true;
end
$$;

-- For the owner: each channel, and how many messages it failed to deliver, also if it tries again.
-- The attempt that is on its way has not failed.
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
        or n.due_at < now() - interval '15 minutes'
    ),
    -- None for messages that are given up: greatest() ignores nulls.
    case when count(n.due_at) > 0 then greatest(min(n.due_at), c.next_at) end
  from private.notification_channels c left join private.notifications n on n.channel = c.channel
  where c.is_on and private.owns_inbox()
  group by c.channel order by c.channel
$$;

-- For the owner: makes all that was not delivered due now, with all its attempts.
create function public.retry_notifications() returns void
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.require_owner();
  update private.notifications set due_at = now(), attempts = 0
  where due_at > now() or due_at is null;
  update private.notification_channels set next_at = now() where next_at > now();
end
$$;

-- For the owner: allows one test of a channel every half a minute, and returns the owner's address.
create function public.begin_notification_test(for_channel text) returns text
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.require_owner();
  update private.notification_channels c set tested_at = now()
  where c.channel = for_channel and c.is_on
    and (c.tested_at is null or c.tested_at < now() - interval '30 seconds');
  if not found then
    raise sqlstate 'PT429' using message = 'Too many tests', detail = '30';
  end if;
  return (select email from auth.users where id = auth.uid());
end
$$;

comment on function public.take_notifications is 'Nullable: recipient';
comment on function public.notification_state is
  'Nullable: sent_at, failed_at, fault, reply, next_at';

grant execute on function
  public.set_notification_channels, public.take_notifications, public.settle_notification
  to anon, service_role;
grant execute on function
  public.notification_state, public.retry_notifications, public.begin_notification_test
  to authenticated;
