-- Functions of the session that decides who may see a change. They live in pg_temp, so they need
-- no place in the database and no migration. The session is authenticator's: it has no rights of
-- its own and takes on a subscriber's role and claims for each look, as the REST layer does.

-- The log names transactions by 32 bits; the epoch is that of the nearest in the current snapshot.
create function pg_temp.realtime_full_xid(xid bigint) returns xid8
language sql as $$
  select (next + ((xid - next + (3::bigint << 31)) & ((1::bigint << 32) - 1)) - (1::bigint << 31))::text::xid8
  from (select pg_snapshot_xmax(pg_current_snapshot())::text::bigint) n(next)
$$;

-- Judges changes of one table. `batch`:
--   relation  oid of the table
--   xids      the transactions that made the changes
--   columns   [{name, type}] of the captured rows, type as oid
--   images    captured rows, each a list of texts or nulls
--   check     which images to look up by primary key, by index from 0
--   filters   [{column, operator, list, negate, values}]: column by index, operator as in SQL
--   roles     the roles that subscribers have
--   groups    [{role, claims}]: distinct subscribers, claims as JSON text
-- Gives null when the table is gone, else
--   secured   row level security is on
--   keys      number of primary key columns
--   columns   [{name, type, key, readers}]: type by name, readers are roles that may select it
--   values    the images as lists of JSON texts
--   passed    per filter, per value: indexes of the images that satisfy it
--   visible   per group: indexes of the images that it sees, or null
--   failed    codes of errors in filters and policies; what failed was not seen
create function pg_temp.realtime_check(batch jsonb) returns jsonb
language plpgsql as $$
declare
  relation constant oid := (batch ->> 'relation')::oid;
  entity text;
  secured boolean;
  keys int;
  columns jsonb;
  roles jsonb;
  able text[];
  expressions text;
  "values" jsonb;
  filter jsonb;
  satisfied jsonb;
  passed jsonb := '[]';
  lookup text;
  prepared_for text;
  "group" record;
  seen int[];
  -- All places from the first on: an array that begins with a later one begins there, and as JSON
  -- would give each group the answer of its neighbour.
  visible jsonb[] := array_fill(null::jsonb, array[jsonb_array_length(batch -> 'groups')]);
  failed text[] := '{}';
begin
  -- A commit is in the log a moment before other sessions see it.
  while exists (
    select from jsonb_array_elements_text(batch -> 'xids') x
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

  -- A token may name a role that is no longer there, or never was ours to take on.
  select coalesce(jsonb_agg(r.rolname), '[]') into roles
  from pg_catalog.pg_roles r
  where batch -> 'roles' ? r.rolname::text and pg_has_role(session_user, r.oid, 'set');

  -- A type that PUBLIC cannot name stays text.
  select
    jsonb_agg(jsonb_build_object(
      'name', w.c ->> 'name', 'type', t.typname, 'key', k.key,
      'cast', case when has_schema_privilege(t.typnamespace, 'usage') then format_type(t.oid, -1) else 'text' end,
      'readers', coalesce(k.readers, '[]')
    ) order by w.i),
    string_agg(format('to_jsonb((c.r ->> %s)::%s)::text', w.i - 1,
      case when has_schema_privilege(t.typnamespace, 'usage') then format_type(t.oid, -1) else 'text' end
    ), ', ' order by w.i)
  into columns, expressions
  from jsonb_array_elements(batch -> 'columns') with ordinality w(c, i)
  join pg_catalog.pg_type t on t.oid = (w.c ->> 'type')::oid
  left join lateral (
    select
      exists (
        select from pg_catalog.pg_index i
        where i.indrelid = relation and i.indisprimary and a.attnum = any (i.indkey)
      ) as key,
      (
        select jsonb_agg(r.role)
        from jsonb_array_elements_text(roles) r(role)
        join pg_catalog.pg_class c on c.oid = relation
        where has_schema_privilege(r.role, c.relnamespace, 'usage')
          and has_column_privilege(r.role, relation, a.attnum, 'select')
      ) as readers
    from pg_catalog.pg_attribute a
    where a.attrelid = relation and a.attname = w.c ->> 'name' and not a.attisdropped
  ) k on true;

  execute format(
    'select jsonb_agg(to_jsonb(array[%s]) order by c.i) from jsonb_array_elements($1) with ordinality c(r, i)',
    expressions
  ) into "values" using batch -> 'images';

  for filter in select * from jsonb_array_elements(batch -> 'filters') loop
    begin
      execute format(
        -- Each text is cast once, not once for every pair.
        'with changed as materialized (
           select (c.r ->> %1$s)::%2$s as v, c.i - 1 as i
           from jsonb_array_elements($2) with ordinality c(r, i)
         ), asked as materialized (
           select f.v::%2$s%4$s as v, f.i from jsonb_array_elements_text($1) with ordinality f(v, i)
         )
         select jsonb_agg((
           select coalesce(jsonb_agg(c.i), ''[]'') from changed c where (c.v %3$s (f.v)) is %5$s
         ) order by f.i) from asked f',
        filter ->> 'column', columns -> (filter ->> 'column')::int ->> 'cast', filter ->> 'operator',
        case when (filter ->> 'list')::boolean then '[]' end,
        case when (filter ->> 'negate')::boolean then 'false' else 'true' end
      ) into satisfied using filter -> 'values', batch -> 'images';
    exception when others then
      satisfied := null;
      failed := failed || sqlstate::text;
    end;
    passed := passed || jsonb_build_array(satisfied);
  end loop;

  if secured and keys > 0 and jsonb_array_length(batch -> 'check') > 0 then
    select array_agg(r.role) into able
    from jsonb_array_elements_text(roles) r(role)
    where keys = (
      select count(*) from jsonb_array_elements(columns) c
      where (c ->> 'key')::boolean and c -> 'readers' ? r.role
    );
    -- A scalar subquery is looked up row by row through the index; EXISTS would become a join that
    -- reads the whole table for each group. One generic plan serves all claims; Postgres plans
    -- again when the role changes.
    perform set_config('plan_cache_mode', 'force_generic_plan', true);
    select
      format(
        'prepare realtime_visible(jsonb) as select array(
           select (k.v ->> 0)::int from jsonb_array_elements($1) k(v)
           where (select true from %s t where %s limit 1))',
        entity,
        string_agg(format('t.%I = (k.v ->> %s)::%s', c.v ->> 'name', c.n, c.v ->> 'cast'), ' and ')
      ),
      format('execute realtime_visible(%L)', (
        select jsonb_agg(jsonb_build_array(m.image) || (
          select jsonb_agg(batch -> 'images' -> m.image -> (p.i - 1)::int order by p.i)
          from jsonb_array_elements(columns) with ordinality p(v, i) where (p.v ->> 'key')::boolean
        ))
        from (select value::int as image from jsonb_array_elements(batch -> 'check')) m
      ))
    into expressions, lookup
    from (
      select v, row_number() over (order by i) as n
      from jsonb_array_elements(columns) with ordinality x(v, i) where (v ->> 'key')::boolean
    ) c;

    for "group" in
      select g.i, g.v ->> 'role' as role, g.v ->> 'claims' as claims
      from jsonb_array_elements(batch -> 'groups') with ordinality g(v, i)
      where g.v ->> 'role' = any (able)
      order by 2
    loop
      begin
        perform
          set_config('request.jwt.claims', "group".claims, true),
          set_config('role', "group".role, true);
        -- As the subscriber, too: authenticator cannot even name the tables of other schemas.
        if prepared_for is distinct from "group".role then
          if exists (select from pg_catalog.pg_prepared_statements where name = 'realtime_visible') then
            deallocate realtime_visible;
          end if;
          execute expressions;
          prepared_for := "group".role;
        end if;
        execute lookup into seen;
        visible["group".i] := to_jsonb(seen);
      exception when others then
        failed := failed || sqlstate::text;
      end;
      perform set_config('role', 'none', true);
    end loop;
  end if;

  return jsonb_build_object(
    'secured', secured, 'keys', keys, 'columns', columns, 'values', "values",
    'passed', passed, 'visible', visible, 'failed', failed
  );
end
$$;
