create function public.who() returns json language sql stable
as $$
  select json_build_object(
    'user', current_user, 'uid', auth.uid(), 'role', auth.role(), 'jwt', auth.jwt(),
    'address', current_setting('request.headers')::json ->> 'x-forwarded-for',
    'headers', current_setting('request.headers')::json
  )
$$;

create function public.slow_down() returns void language plpgsql
as $$
begin
  raise sqlstate 'PT429' using message = 'Too many messages', hint = 'Wait a minute';
end
$$;

create function public.refuse() returns void language plpgsql
as $$
begin
  raise exception 'Not today';
end
$$;

-- A trigger reads the headers too: they must be set for plain inserts.
create table public.visits (address text);
create function public.note_address() returns trigger language plpgsql
as $$
begin
  new.address := current_setting('request.headers')::json ->> 'x-forwarded-for';
  return new;
end
$$;
create trigger note_address before insert on public.visits
  for each row execute function public.note_address();
