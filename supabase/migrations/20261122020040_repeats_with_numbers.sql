-- A message that is sent again with a number, or with another one, says something new: it is no
-- repeat. All else is as in 20261121000300_messages.sql.

create or replace function private.receive_message() returns trigger
language plpgsql security definer set search_path = '' set lock_timeout = '1s'
as $$
declare
  content text := md5(new.name || chr(31) || new.email || chr(31) || new.message);
  address text := private.client_address();
  signs text[] := new.spam_signs;
  rows_before integer := nullif(current_setting('private.rows_before', true), '');
  wait integer;
begin
  if address is not null then
    if rows_before >= 20 then
      raise sqlstate 'PT413' using message = 'Too many messages in one insert';
    end if;
    perform set_config('private.rows_before', (coalesce(rows_before, 0) + 1)::text, true);
    wait := private.take_attempt(
      'message', 'address ' || address, (select points from private.limits where name = 'message')
    );
    if wait is not null then
      raise sqlstate 'PT429' using message = 'Too many messages', detail = wait::text;
    end if;
    perform private.forget_attempts(10);
    -- Of two copies at the same moment, the second waits here until the first is committed. An
    -- import takes no locks: they are few.
    perform pg_advisory_xact_lock(hashtextextended(content, 0));
  end if;

  if exists (
    select from public.contact_messages
    where md5(name || chr(31) || email || chr(31) || message) = content
      and (new.phone is null or phone = new.phone)
      and created_at > clock_timestamp() - interval '10 minutes'
  ) then
    return null;
  end if;

  -- An import brings its own marks.
  if address is null and signs is not null then
    return new;
  end if;
  if regexp_count(new.message, 'https?://|www\.', 1, 'i') > 3 then
    signs := array_append(signs, 'links');
  end if;
  if char_length(new.message) > 20 and exists (
    select from public.contact_messages
    where md5(message) = md5(new.message) and message = new.message
      and created_at > clock_timestamp() - interval '1 day'
  ) then
    signs := array_append(signs, 'repeat');
  end if;
  -- People do each of these, so two signs must agree; only the trap is enough alone.
  new.spam_signs := case when 'trap' = any (signs) or cardinality(signs) > 1 then signs end;
  return new;
end
$$;
