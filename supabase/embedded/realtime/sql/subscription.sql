-- Returns why a role cannot have a subscription, or null. `filters`: [{column, operator (SQL), value}].
create function pg_temp.realtime_subscription_error(
  wanted_schema text, wanted_table text, role text, filters jsonb, selected jsonb
) returns text
language plpgsql as $$
declare
  entity oid;
  filter jsonb;
  type text;
  name text;
begin
  if not exists (
    select from pg_catalog.pg_roles r where r.rolname = role and pg_has_role(session_user, r.oid, 'set')
  ) then
    return format('role %s cannot subscribe', role);
  end if;
  for entity in
    select c.oid
    from pg_catalog.pg_publication_tables p
    join pg_catalog.pg_namespace n on n.nspname = p.schemaname
    join pg_catalog.pg_class c on c.relnamespace = n.oid and c.relname = p.tablename
    where p.pubname = 'supabase_realtime'
      and wanted_schema in ('*', p.schemaname) and wanted_table in ('*', p.tablename)
  loop
    for name in
      select f ->> 'column' from jsonb_array_elements(filters) f
      union all select jsonb_array_elements_text(selected)
    loop
      if not exists (
        select from pg_catalog.pg_attribute a
        where a.attrelid = entity and a.attname = name and a.attnum > 0 and not a.attisdropped
          and has_column_privilege(role, entity, a.attnum, 'select')
      ) then
        return format('invalid column for filter or select %s', name);
      end if;
    end loop;
    for filter in select * from jsonb_array_elements(filters) loop
      select case when has_schema_privilege(t.typnamespace, 'usage') then format_type(t.oid, -1) else 'text' end
      into type
      from pg_catalog.pg_attribute a join pg_catalog.pg_type t on t.oid = a.atttypid
      where a.attrelid = entity and a.attname = filter ->> 'column';
      begin
        execute format(
          'select %1$L::%2$s%4$s where null::%2$s %3$s (%1$L::%2$s%4$s)',
          filter ->> 'value', type, filter ->> 'operator',
          case when filter ->> 'operator' = '= any' then '[]' end
        );
      exception when others then
        return sqlerrm;
      end;
    end loop;
  end loop;
  if not found then
    return 'Please check Realtime is enabled for the given connect parameters';
  end if;
  return null;
end
$$;
