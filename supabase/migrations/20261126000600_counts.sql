-- How often the contact page was viewed and each of its links tapped, by day in the owner's time zone.
-- These are numbers only, and nothing of a visitor.

create table private.counts (
  day date not null,
  what text not null check (what ~ '^[a-z]{1,20}$'),
  times bigint not null check (times > 0),
  primary key (day, what)
);

create table private.counting (
  singleton boolean primary key default true check (singleton),
  is_on boolean not null default true
);
insert into private.counting default values;

-- For the site: adds the numbers of a day, unless counting is off.
create function public.add_counts(day date, numbers jsonb) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.counts as known (day, what, times)
  select $1, n.key, n.value::bigint from jsonb_each_text(numbers) n
  where (select is_on from private.counting)
  -- In one order, so that two processes of the site do not wait for each other.
  order by n.key
  on conflict on constraint counts_pkey do update set times = known.times + excluded.times;
end
$$;

-- For the owner: the numbers since a day. No row for others.
create function public.read_counts(since date)
returns table (day date, what text, times bigint)
language sql stable security definer set search_path = ''
as $$
  select c.day, c.what, c.times from private.counts c
  where c.day >= since and private.owns_inbox()
$$;

-- For the owner: turns counting on or off, and deletes all numbers. Both statements have a condition,
-- because hosted Supabase refuses updates and deletions without one from its API, also in functions
-- (safeupdate).
create function public.switch_counting(is_on boolean) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.require_owner();
  update private.counting c set is_on = switch_counting.is_on where c.singleton;
end
$$;

create function public.reset_counts() returns void
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.require_owner();
  delete from private.counts where true;
end
$$;

grant execute on function public.add_counts to service_role;
grant execute on function public.read_counts, public.switch_counting, public.reset_counts
  to authenticated;
