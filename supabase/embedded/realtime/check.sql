-- The log has only the low 32 bits of a transaction id. Returns the id nearest to the snapshot.
create function pg_temp.realtime_full_xid(xid bigint) returns xid8
language sql as $$
  select (next + ((xid - next + (3::bigint << 31)) & ((1::bigint << 32) - 1)) - (1::bigint << 31))::text::xid8
  from (select pg_snapshot_xmax(pg_current_snapshot())::text::bigint) n(next)
$$;

-- Reads rows of a table as each reader: {relation (oid), key, rows, xids, readers}. `key` has the
-- columns [{name, type (oid)}], `rows` has the values of their texts after a number, `readers` has
-- claims. Returns {columns: [{name, type}], records: {number: row}, visible, failed}. `visible` has
-- the numbers of the rows that each reader sees, or null if a policy raised an error, whose
-- SQLSTATE is in `failed`. Returns null while a transaction of `xids` cannot be seen yet: it is in
-- the log a moment before.
create function pg_temp.realtime_check(query jsonb) returns jsonb
language plpgsql as $$
declare
  relation constant oid := (query ->> 'relation')::oid;
  rows constant jsonb := query -> 'rows';
  entity text;
  columns jsonb;
  fields text;
  condition text;
  reader record;
  is_prepared boolean := false;
  seen int[];
  added jsonb;
  records jsonb := '{}';
  -- Prefilled: to_jsonb would shift an array whose first index is not 1.
  visible jsonb[] := array_fill(null::jsonb, array[jsonb_array_length(query -> 'readers')]);
  failed text[] := '{}';
begin
  if exists (
    select from jsonb_array_elements_text(query -> 'xids') x
    where not pg_visible_in_snapshot(pg_temp.realtime_full_xid(x.value::bigint), pg_current_snapshot())
  ) then
    return null;
  end if;

  select format('%I.%I', n.nspname, c.relname) into strict entity
  from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  where c.oid = relation;

  select
    coalesce(jsonb_agg(jsonb_build_object('name', a.attname, 'type', t.typname) order by a.attnum), '[]'),
    string_agg(format('t.%I', a.attname), ', ' order by a.attnum)
  into columns, fields
  from pg_catalog.pg_attribute a join pg_catalog.pg_type t on t.oid = a.atttypid
  where a.attrelid = relation and a.attnum > 0 and not a.attisdropped
    and has_column_privilege('authenticated', relation, a.attnum, 'select');

  select string_agg(
    format('t.%I = (l.v ->> %s)::%s', k.v ->> 'name', k.i, format_type((k.v ->> 'type')::oid, null)), ' and '
  ) into condition
  from jsonb_array_elements(query -> 'key') with ordinality k(v, i);

  if exists (select from pg_catalog.pg_prepared_statements where name = 'realtime_visible') then
    deallocate realtime_visible;
  end if;
  -- One generic plan serves all claims.
  perform set_config('plan_cache_mode', 'force_generic_plan', true);
  for reader in
    select r.i, r.claims from jsonb_array_elements_text(query -> 'readers') with ordinality r(claims, i)
  loop
    begin
      perform
        set_config('request.jwt.claims', reader.claims, true),
        set_config('role', 'authenticated', true);
      if not is_prepared then
        -- A scalar subquery uses the index. EXISTS would become a join that reads the whole table.
        execute format(
          'prepare realtime_visible(jsonb) as select array(
             select (l.v ->> 0)::int from jsonb_array_elements($1) l(v)
             where (select true from %s t where %s limit 1))',
          entity, condition
        );
        is_prepared := true;
      end if;
      execute format('execute realtime_visible(%L)', rows) into seen;
      -- Each row is read once, as the first reader who sees it.
      if exists (select from unnest(seen) s(row) where not records ? s.row::text) then
        execute format(
          'select jsonb_object_agg(l.v ->> 0, r.v)
           from jsonb_array_elements($1) l(v)
           cross join lateral (select to_jsonb(c) as v from (select %s from %s t where %s limit 1) c) r
           where octet_length(r.v::text) <= 1048576',
          fields, entity, condition
        ) into added using rows;
        records := records || coalesce(added, '{}');
      end if;
      visible[reader.i] := to_jsonb(seen);
    exception when others then
      failed := failed || sqlstate::text;
    end;
    perform set_config('role', 'none', true);
  end loop;
  return jsonb_build_object('columns', columns, 'records', records, 'visible', visible, 'failed', failed);
end
$$;
