-- One customer often holds a /48 of IPv6, which is 65,536 of the /64 that limits count. So attempts of
-- a /64 count for its /48 as well, which has ten times as many points.
alter function private.take_attempt(text, text, integer, interval) rename to count_attempt;

create function private.take_attempt(
  limit_name text, attempt_subject text, allowed integer, longest_wait interval default null
)
returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  wait integer := private.count_attempt(limit_name, attempt_subject, allowed, longest_wait);
  network text := substring(attempt_subject from '^address ([0-9a-f:]+/64)$');
begin
  -- What the /64 may not do any more must not use up its neighbours' points.
  if wait is not null or network is null then
    return wait;
  end if;
  return private.count_attempt(
    limit_name, 'address ' || network(set_masklen(network::inet, 48)), allowed * 10
  );
end
$$;

revoke execute on function private.take_attempt(text, text, integer, interval) from public;
