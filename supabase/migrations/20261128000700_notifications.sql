-- A notification that fails is tried again every ten minutes until it arrives. Before, the site gave up after a
-- day, and the owner had to ask for another try.

drop function public.retry_notifications();

-- Takes all that a channel has to send now, as one notification, for two minutes. Returns no row if nothing
-- is due, or another process is sending. `batch` is made of the messages' ids, so that a repeat has the
-- same one. `newest` holds the messages that are shown in full.
create or replace function public.take_notifications(for_channel text)
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
  ) then
    return;
  end if;
  ids := array(
    select n.message_id from private.notifications n where n.channel = for_channel
    order by n.since desc limit 10000
  );
  if cardinality(ids) = 0 then
    return;
  end if;
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

-- For the owner: each channel, and how many messages it has failed to deliver until now. An attempt that is
-- on its way has not failed.
create or replace function public.notification_state()
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
    greatest(c.next_at, now())
  from private.notification_channels c left join private.notifications n on n.channel = c.channel
  where private.owns_inbox()
  group by c.channel order by c.channel
$$;
