-- Web Push: devices on which the owner's browser shows notifications.

-- Push subscriptions of browsers (RFC 8030). The endpoint and both keys allow only to send to it, and
-- only with the site's own key. All belong to the present owner, and each to a session that has not
-- ended.
create table private.push_subscriptions (
  id uuid primary key default gen_random_uuid(),
  session_id uuid not null references auth.sessions (id) on delete cascade,
  user_id uuid not null references auth.users (id) on delete cascade,
  -- A host name and no address, without a port and a user: the site calls it.
  endpoint text not null unique check (
    char_length(endpoint) <= 1000 and endpoint ~ '^https://([a-z0-9-]+\.)+[a-z][a-z0-9-]*/[!-~]*$'
  ),
  -- 65 bytes, an uncompressed point of P-256; 16 random bytes (RFC 8291, 3).
  p256dh text not null check (p256dh ~ '^B[A-Za-z0-9_-]{86}$'),
  auth text not null check (auth ~ '^[A-Za-z0-9_-]{22}$'),
  created_at timestamptz not null default now()
);
comment on table private.push_subscriptions is 'Copied';

-- The channel is on while there is a subscription. What it has not delivered ends with the last one.
create function private.turn_push() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  -- Of two changes at once, the later one waits here, and then sees the other.
  perform from private.notification_channels where channel = 'push' for update;
  update private.notification_channels
  set is_on = not is_on, next_at = default, fault = null, reply = null
  where channel = 'push' and is_on <> exists (select from private.push_subscriptions);
  if found then
    delete from private.notifications where channel = 'push';
  end if;
  return null;
end
$$;

create trigger turn_push after insert or delete on private.push_subscriptions
  for each statement execute function private.turn_push();

-- A new owner gets no subscriptions of the former one.
create function private.end_push() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  delete from private.push_subscriptions
  where user_id not in (select user_id from private.site_owner);
  return null;
end
$$;

create trigger end_push after update or delete on private.site_owner
  for each statement execute function private.end_push();

-- Whether the caller's session gave its password or a code again in the last ten minutes
-- (renew_recovery_codes). A site that proves itself has asked for it: on hosted Supabase a password
-- that is given again leaves no trace.
create function private.gave_proof() returns boolean
language sql stable security definer set search_path = ''
as $$
  select public.is_trusted_site() or exists (
    select from auth.mfa_amr_claims
    where session_id::text = auth.jwt() ->> 'session_id'
      and updated_at > created_at and updated_at > now() - interval '10 minutes'
  )
$$;

-- Stores the subscription of the caller's browser, which has only one: it replaces an older one of the
-- same session, and one that an older session stored belongs to this session from now on. Needs a
-- proof, because it gets the text of messages for as long as the session lasts.
create function public.save_push_subscription(endpoint text, p256dh text, auth text) returns void
language plpgsql security definer set search_path = ''
as $$
#variable_conflict use_column
declare
  given private.push_subscriptions;
begin
  perform private.store_reserved_owner();
  -- Waits for others who save, and for a change of the owner.
  perform from private.site_owner for update;
  perform private.require_owner();
  if private.gave_proof() is not true then
    raise sqlstate 'PT403'
      using message = 'A recent authentication is needed', detail = 'reauthentication_needed';
  end if;
  insert into private.push_subscriptions as known (session_id, user_id, endpoint, p256dh, auth)
  values (
    (auth.jwt() ->> 'session_id')::uuid, auth.uid(), save_push_subscription.endpoint,
    save_push_subscription.p256dh, save_push_subscription.auth
  )
  on conflict (endpoint) do update
  set session_id = excluded.session_id, p256dh = excluded.p256dh, auth = excluded.auth
  returning * into given;
  delete from private.push_subscriptions where session_id = given.session_id and id <> given.id;
  if (select count(*) from private.push_subscriptions) > 20 then
    raise sqlstate 'PT409' using message = 'Too many devices', detail = '20';
  end if;
exception when check_violation or not_null_violation then
  raise sqlstate 'PT400' using message = 'Not a push subscription';
end
$$;

-- The subscriptions of the caller, who owns the inbox.
create function public.push_subscriptions()
returns table (id uuid, session_id uuid, is_current boolean, created_at timestamptz)
language sql stable security definer set search_path = ''
as $$
  select s.id, s.session_id, s.session_id::text = auth.jwt() ->> 'session_id', s.created_at
  from private.push_subscriptions s
  where s.user_id = auth.uid() and private.owns_inbox()
  order by s.created_at, s.id
$$;

-- False if the caller has no such subscription.
create function public.delete_push_subscription(id uuid) returns boolean
language plpgsql security definer set search_path = ''
as $$
begin
  delete from private.push_subscriptions s
  where s.id = delete_push_subscription.id and s.user_id = auth.uid() and private.owns_inbox();
  return found;
end
$$;

-- For the site: where to send.
create function public.push_targets()
returns table (id uuid, endpoint text, p256dh text, auth text)
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.require_site();
  return query
  select s.id, s.endpoint, s.p256dh, s.auth
  from private.push_subscriptions s where private.session_is_open(s.session_id, s.user_id);
end
$$;

-- For the site: deletes subscriptions that have expired.
create function public.expire_push(ids uuid[]) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.require_site();
  delete from private.push_subscriptions where id = any (ids);
end
$$;

grant execute on function
  public.save_push_subscription, public.push_subscriptions, public.delete_push_subscription
  to authenticated;
grant execute on function public.push_targets, public.expire_push to anon, service_role;
