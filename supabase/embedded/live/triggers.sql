-- Notifies of the changes of published tables, in the order of the commits (PostgreSQL, NOTIFY). Runs as
-- superuser at every start, after the migrations, and writes nothing if the triggers are there. Each
-- published table has a key `id uuid`.
do $$
declare
  published text;
  event text;
begin
  for published, event in
    select format('%I.%I', schemaname, tablename), e
    from pg_publication_tables, unnest(array['insert', 'update']) e
    where pubname = 'supabase_realtime' and not exists (
      select from pg_trigger
      where tgname = 'tell_' || e and tgrelid = format('%I.%I', schemaname, tablename)::regclass
    )
  loop
    execute format(
      'create trigger tell_%1$s after %1$s on %2$s referencing new table as changed '
      'for each statement execute function embedded.tell_change()', event, published
    );
  end loop;
end
$$;

select format('%I.%I', schemaname, tablename) as published
from pg_publication_tables where pubname = 'supabase_realtime';
