-- Notifies of the changes of published tables, in the order of the commits (PostgreSQL, NOTIFY). Runs as
-- superuser at every start, after the migrations. Each published table has a key `id uuid`.

-- Sends one notification for each statement: "insert" or "reload", up to 100 ids, and the table. A larger
-- insert is a reload. A payload may have 8000 bytes.
create or replace function embedded.tell_change() returns trigger
language plpgsql set search_path = ''
as $$
declare
  most constant integer := 100;
  ids constant uuid[] := array(select id from changed limit most + 1);
begin
  if cardinality(ids) > 0 then
    perform pg_notify('changes', concat_ws(' ',
      case when tg_op = 'INSERT' and cardinality(ids) <= most then 'insert' else 'reload' end,
      array_to_string(ids[:most], ','),
      format('%I.%I', tg_table_schema, tg_table_name)
    ));
  end if;
  return null;
end
$$;

do $$
declare
  published text;
  event text;
begin
  for published, event in
    select format('%I.%I', schemaname, tablename), unnest(array['insert', 'update'])
    from pg_publication_tables where pubname = 'supabase_realtime'
  loop
    execute format(
      'create or replace trigger tell_%1$s after %1$s on %2$s referencing new table as changed '
      'for each statement execute function embedded.tell_change()', event, published
    );
  end loop;
end
$$;

select format('%I.%I', schemaname, tablename) as published
from pg_publication_tables where pubname = 'supabase_realtime';
