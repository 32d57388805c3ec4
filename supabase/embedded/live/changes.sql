-- Runs after the files of the engine. triggers.sql uses it.

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
