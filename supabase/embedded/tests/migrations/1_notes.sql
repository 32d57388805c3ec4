-- What a site may have: a published table under row level security, and functions.
create table public.notes (
  id uuid primary key default gen_random_uuid(),
  author uuid default auth.uid() references auth.users (id) on delete cascade,
  text text not null check (char_length(text) between 1 and 10000)
);
alter table public.notes enable row level security;
revoke all on public.notes from anon, authenticated;
grant insert (text), select on public.notes to authenticated;
create policy "accounts write as themselves" on public.notes for insert to authenticated
  with check (author = auth.uid());
create policy "accounts read their own notes" on public.notes for select to authenticated
  using (author = auth.uid());
alter publication supabase_realtime add table public.notes;

create function public.add_note(text text) returns uuid
language sql
begin atomic
  insert into public.notes (text) values (text) returning id;
end;

create function public.my_notes() returns setof text
language sql stable
return (select n.text from public.notes n order by n.text);

create function public.lock_notes(is_sure boolean) returns boolean
language sql
return is_sure;

-- Only for the site itself.
create function public.count_notes() returns bigint
language sql stable
return (select count(*) from public.notes);
revoke execute on function public.count_notes from public, anon, authenticated;

create function public.wait(seconds integer) returns void
language plpgsql
as $$
begin
  raise sqlstate 'PT429' using message = 'Too often', detail = seconds;
end
$$;
