-- The log has only the low 32 bits of a transaction id. Returns the id nearest to the snapshot.
create function pg_temp.realtime_full_xid(xid bigint) returns xid8
language sql as $$
  select (next + ((xid - next + (3::bigint << 31)) & ((1::bigint << 32) - 1)) - (1::bigint << 31))::text::xid8
  from (select pg_snapshot_xmax(pg_current_snapshot())::text::bigint) n(next)
$$;

-- Answers a visibility query {relation (oid), xids, columns, versions, lookups, comparisons, roles,
-- subscribers} with {secured, keys, columns, values, filters, visibility}, or null if the table is
-- gone. `secured`: row level security is on. `keys`: number of primary key columns.
create function pg_temp.realtime_check(query jsonb) returns jsonb
language plpgsql as $$
declare
  relation constant oid := (query ->> 'relation')::oid;
  versions constant jsonb := query -> 'versions';
  entity text;
  secured boolean;
  keys int;
  columns jsonb;
  "values" jsonb;
  filters jsonb;
  visibility jsonb := '{"visible": [], "failed": []}';
begin
  -- A commit is in the log shortly before other sessions see it.
  while exists (
    select from jsonb_array_elements_text(query -> 'xids') x
    where not pg_visible_in_snapshot(pg_temp.realtime_full_xid(x.value::bigint), pg_current_snapshot())
  ) loop
    perform pg_sleep(0.0005);
  end loop;

  select format('%I.%I', n.nspname, c.relname), c.relrowsecurity,
    coalesce((select i.indnkeyatts from pg_catalog.pg_index i where i.indrelid = c.oid and i.indisprimary), 0)
  into entity, secured, keys
  from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  where c.oid = relation;
  if not found then
    return null;
  end if;

  columns := pg_temp.realtime_columns(relation, query -> 'columns', query -> 'roles');
  "values" := pg_temp.realtime_values(columns, versions);
  filters := pg_temp.realtime_filters(columns, versions, query -> 'comparisons');
  if secured and keys > 0 and jsonb_array_length(query -> 'lookups') > 0 then
    visibility := pg_temp.realtime_visibility(
      entity, keys, columns, versions, query -> 'lookups', query -> 'subscribers'
    );
  end if;
  return jsonb_build_object(
    'secured', secured, 'keys', keys, 'columns', columns, 'values', "values",
    'filters', filters, 'visibility', visibility
  );
end
$$;
