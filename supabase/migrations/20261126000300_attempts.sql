-- Attempts at an account: passwords, codes, and whatever else a form may do for an address.

-- For the site: counts an attempt of a visitor at an account, which is an e-mail address or a user's id.
-- Returns the seconds to wait if there were too many, otherwise null.
create function public.take_attempt(kind text, account text, address inet) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  rule constant private.limits := (select l from private.limits l where l.name = kind);
  sender constant text := private.address_key(address);
  tried constant text := 'account ' || lower(account);
  wait integer;
  beyond integer;
begin
  if rule.account_points is null or (char_length(account) <= 320) is not true then
    raise sqlstate 'PT400' using message = 'Unknown kind of attempt';
  end if;
  wait := private.take_attempt(kind, sender);
  if wait is null then
    beyond := (private.count_attempt(kind, tried)).points - rule.account_points;
    if beyond > 0 then
      -- Whoever has waited has one attempt. Each address waits for itself: if all waited for the same
      -- moment, a program would always be first.
      delete from private.attempts a
      where a.name = kind and a.subject = sender || ' for ' || tried and a.next_at <= now();
      if not found then
        insert into private.attempts as known (name, subject, points, expires_at, next_at)
        select kind, sender || ' for ' || tried, 1, pause.ends_at + rule.period, pause.ends_at
        from (
          values (now() + least(rule.longest_wait, interval '1 second' * 2 ^ least(beyond, 20)))
        ) pause (ends_at)
        on conflict on constraint attempts_pkey do update set points = known.points
        returning greatest(1, ceil(extract(epoch from known.next_at - now()))) into wait;
      end if;
    end if;
  end if;
  perform private.sweep_attempts(10);
  return wait;
end
$$;

-- For the site: forgets the attempts at an account, because one of them was right.
create function public.clear_attempts(kind text, account text) returns void
language sql security definer set search_path = ''
as $$
  delete from private.attempts where name = kind and subject = 'account ' || lower(account)
$$;

grant execute on function public.take_attempt, public.clear_attempts to service_role;
