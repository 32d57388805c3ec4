-- Looks up row versions by primary key as each subscriber. `lookups` are indexes of versions.
-- Returns {visible, failed}. `visible`: by subscriber, the indexes of the versions that it sees, or
-- null if its role may not select the key or a policy raised an error. `failed`: the SQLSTATEs.
create function pg_temp.realtime_visibility(
  entity text, keys int, columns jsonb, versions jsonb, lookups jsonb, subscribers jsonb
) returns jsonb
language plpgsql as $$
declare
  able constant text[] := array(
    select r.role
    from jsonb_array_elements(columns) c(v), jsonb_array_elements_text(c.v -> 'readers') r(role)
    where (c.v ->> 'key')::boolean
    group by r.role having count(*) = keys
  );
  statement text;
  parameter jsonb;
  subscriber record;
  prepared_for text;
  seen int[];
  -- Prefilled: to_jsonb would shift an array whose first index is not 1.
  visible jsonb[] := array_fill(null::jsonb, array[jsonb_array_length(subscribers)]);
  failed text[] := '{}';
begin
  -- A scalar subquery uses the index. EXISTS would become a join that reads the whole table.
  select
    format(
      'prepare realtime_visible(jsonb) as select array(
         select (l.v ->> 0)::int from jsonb_array_elements($1) l(v)
         where (select true from %s t where %s limit 1))',
      entity,
      string_agg(format('t.%I = (l.v ->> %s)::%s', k.v ->> 'name', k.n, k.v ->> 'cast'), ' and ')
    ),
    (
      select jsonb_agg(jsonb_build_array(l.v) || (
        select jsonb_agg(versions -> l.v::int -> (c.i - 1)::int order by c.i)
        from jsonb_array_elements(columns) with ordinality c(v, i) where (c.v ->> 'key')::boolean
      ))
      from jsonb_array_elements(lookups) l(v)
    )
  into statement, parameter
  from (
    select c.v, row_number() over (order by c.i) as n
    from jsonb_array_elements(columns) with ordinality c(v, i) where (c.v ->> 'key')::boolean
  ) k;

  -- One generic plan serves all claims of a role.
  perform set_config('plan_cache_mode', 'force_generic_plan', true);
  for subscriber in
    select s.i, s.v ->> 'role' as role, s.v ->> 'claims' as claims
    from jsonb_array_elements(subscribers) with ordinality s(v, i)
    where s.v ->> 'role' = any (able)
    order by role
  loop
    begin
      perform
        set_config('request.jwt.claims', subscriber.claims, true),
        set_config('role', subscriber.role, true);
      -- Prepared as the subscriber, because the login role may lack USAGE on the table's schema.
      if prepared_for is distinct from subscriber.role then
        if exists (select from pg_catalog.pg_prepared_statements where name = 'realtime_visible') then
          deallocate realtime_visible;
        end if;
        execute statement;
        prepared_for := subscriber.role;
      end if;
      execute format('execute realtime_visible(%L)', parameter) into seen;
      visible[subscriber.i] := to_jsonb(seen);
    exception when others then
      failed := failed || sqlstate::text;
    end;
    perform set_config('role', 'none', true);
  end loop;
  return jsonb_build_object('visible', visible, 'failed', failed);
end
$$;
