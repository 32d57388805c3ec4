-- A small project written for hosted Supabase. It shows that the embedded backend provides what
-- such migrations rely on.
create extension if not exists citext with schema extensions;

create table public.profiles (
  id uuid primary key references auth.users on delete cascade,
  handle extensions.citext unique
);

create function public.make_profile() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.profiles (id) values (new.id);
  return new;
end
$$;

create trigger make_profile after insert on auth.users
  for each row execute function public.make_profile();

-- No grants: the default privileges of a hosted project grant all to the API roles.
create table public.notes (
  id bigint generated always as identity primary key,
  owner uuid not null default auth.uid(),
  body text not null check (char_length(body) < 100)
);
alter table public.notes enable row level security;
create policy own on public.notes to authenticated
  using (owner = (select auth.uid())) with check (owner = (select auth.uid()));
alter publication supabase_realtime add table public.notes;

create table public.locked (id int primary key);
alter table public.locked enable row level security;
revoke all on public.locked from anon, authenticated;
insert into public.locked values (1);
