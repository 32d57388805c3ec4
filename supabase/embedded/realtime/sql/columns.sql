-- Returns the captured columns [{name, type (oid)}] as [{name, type, cast, key, readers}]. `readers`
-- are the `roles` that may select the column. `cast` is text if PUBLIC may not use the type.
create function pg_temp.realtime_columns(relation oid, captured jsonb, roles jsonb) returns jsonb
language plpgsql as $$
declare
  settable constant name[] := array(
    select r.rolname from pg_catalog.pg_roles r
    where roles ? r.rolname::text and pg_has_role(session_user, r.oid, 'set')
  );
begin
  return (
    select jsonb_agg(jsonb_build_object(
      'name', c.v ->> 'name',
      'type', t.typname,
      'cast', case when has_schema_privilege(t.typnamespace, 'usage') then format_type(t.oid, -1) else 'text' end,
      'key', k.key,
      'readers', coalesce(k.readers, '[]')
    ) order by c.i)
    from jsonb_array_elements(captured) with ordinality c(v, i)
    join pg_catalog.pg_type t on t.oid = (c.v ->> 'type')::oid
    left join lateral (
      select
        exists (
          select from pg_catalog.pg_index i
          where i.indrelid = relation and i.indisprimary and a.attnum = any (i.indkey)
        ) as key,
        (
          select jsonb_agg(r.name)
          from unnest(settable) r(name)
          join pg_catalog.pg_class e on e.oid = relation
          where has_schema_privilege(r.name, e.relnamespace, 'usage')
            and has_column_privilege(r.name, relation, a.attnum, 'select')
        ) as readers
      from pg_catalog.pg_attribute a
      where a.attrelid = relation and a.attname = c.v ->> 'name' and not a.attisdropped
    ) k on true
  );
end
$$;

-- Returns row versions, each a list of texts or nulls, as lists of JSON texts.
create function pg_temp.realtime_values(columns jsonb, versions jsonb) returns jsonb
language plpgsql as $$
declare
  expressions constant text := (
    select string_agg(format('to_jsonb((r.v ->> %s)::%s)::text', c.i - 1, c.v ->> 'cast'), ', ' order by c.i)
    from jsonb_array_elements(columns) with ordinality c(v, i)
  );
  "values" jsonb;
begin
  execute format(
    'select jsonb_agg(to_jsonb(array[%s]) order by r.i) from jsonb_array_elements($1) with ordinality r(v, i)',
    expressions
  ) into "values" using versions;
  return "values";
end
$$;
