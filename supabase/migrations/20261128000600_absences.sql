-- The days on which the owner does not work. Past ones are kept as long as messages, because they still say
-- when a message of those days is due.

create table private.absences (
  first_day date primary key,
  last_day date not null,
  constraint absence_is_not_too_long check (last_day - first_day between 0 and 365),
  constraint absence_is_not_too_far check (last_day <= current_date + 732),
  constraint absences_do_not_overlap exclude using gist (daterange(first_day, last_day, '[]') with &&)
);

-- For the site: all absences, the oldest first.
create function public.read_absences() returns table (first_day date, last_day date)
language sql stable security definer set search_path = ''
as $$
  select a.first_day, a.last_day from private.absences a order by a.first_day
$$;

-- For the owner: adds an absence. Returns null, or why it was refused: "overlap", or "full" if
-- twenty are to come.
create function public.add_absence(first_day date, last_day date) returns text
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.require_owner();
  -- Without this lock, two calls at once would each count nineteen.
  lock table private.absences in share row exclusive mode;
  if (select count(*) from private.absences a where a.last_day >= current_date) >= 20 then
    return 'full';
  end if;
  insert into private.absences values ($1, $2);
  return null;
exception when unique_violation or exclusion_violation then
  return 'overlap';
end
$$;

-- For the owner: ends an absence. One that has begun before today ends yesterday: its days remain days off,
-- or what came meanwhile would be late at once. `today` is the owner's. Returns whether it was there.
create function public.end_absence(first_day date, today date) returns boolean
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.require_owner();
  delete from private.absences a where a.first_day = $1 and a.first_day >= today;
  if found then
    return true;
  end if;
  update private.absences a set last_day = today - 1 where a.first_day = $1 and a.last_day >= today;
  return found;
end
$$;

grant execute on function public.read_absences to service_role;
grant execute on function public.add_absence, public.end_absence to authenticated;

-- As before. It now also deletes absences when it deletes the messages of their days.
create or replace function public.sweep(
  with_accounts boolean default false, out expired integer, out deleted integer, out others integer
)
language plpgsql security definer set search_path = ''
as $$
declare
  kept private.retention := (select r from private.retention r);
  sent_before timestamptz := now() - make_interval(months => kept.months);
  discarded_before timestamptz := now() - make_interval(days => kept.discarded_days);
  swept integer;
begin
  update public.contact_messages set deleted_at = now(), expired_at = now() where id in (
    select m.id from public.contact_messages m
    where m.state in ('waiting', 'answered', 'archived')
      and m.created_at < sent_before and (m.restored_at < sent_before) is not false
    limit 1000 for update skip locked
  );
  get diagnostics expired = row_count;
  delete from public.contact_messages where id in (
    select m.id from public.contact_messages m
    where m.state in ('spam', 'trash')
      and coalesce(m.deleted_at, m.spam_at) < discarded_before
    limit 1000 for update skip locked
  );
  get diagnostics deleted = row_count;
  others := private.sweep_attempts(1000);
  delete from private.counts where day < current_date - 400;
  get diagnostics swept = row_count;
  others := others + swept;
  delete from private.absences where last_day < sent_before::date;
  get diagnostics swept = row_count;
  others := others + swept;
  delete from private.notifications
  where attempts = 0 and since < now() - interval '1 day';
  get diagnostics swept = row_count;
  others := others + swept;
  if with_accounts then
    delete from auth.users where id in (
      select u.id from auth.users u
      where (
          u.email_confirmed_at is null
          and greatest(u.created_at, u.confirmation_sent_at) < now() - interval '7 days'
          or u.created_at < now() - interval '90 days'
          and greatest(u.last_sign_in_at, u.updated_at) < u.created_at + interval '1 day'
          and not exists (select from auth.mfa_factors f where f.user_id = u.id)
        )
        and not exists (select from private.site_owner o where o.user_id = u.id)
      limit 500 for update of u skip locked
    );
    get diagnostics swept = row_count;
    others := others + swept;
  end if;
end
$$;
