-- Compares row versions with values: [{column (index), operator (SQL), list, negate, values}].
-- Returns {passed, failed}. `passed`: by comparison and value, the indexes of the versions that
-- pass, or null for a comparison that raised an error. `failed`: the SQLSTATEs.
create function pg_temp.realtime_filters(columns jsonb, versions jsonb, comparisons jsonb) returns jsonb
language plpgsql as $$
declare
  comparison jsonb;
  passing jsonb;
  passed jsonb := '[]';
  failed text[] := '{}';
begin
  for comparison in select * from jsonb_array_elements(comparisons) loop
    begin
      -- Materialized: each text is cast once, not once per pair.
      execute format(
        'with changed as materialized (
           select (r.v ->> %1$s)::%2$s as v, r.i - 1 as i
           from jsonb_array_elements($1) with ordinality r(v, i)
         ), wanted as materialized (
           select f.v::%2$s%3$s as v, f.i
           from jsonb_array_elements_text($2) with ordinality f(v, i)
         )
         select jsonb_agg((
           select coalesce(jsonb_agg(c.i), ''[]'') from changed c where (c.v %4$s (w.v)) is %5$s
         ) order by w.i) from wanted w',
        comparison ->> 'column',
        columns -> (comparison ->> 'column')::int ->> 'cast',
        case when (comparison ->> 'list')::boolean then '[]' end,
        comparison ->> 'operator',
        case when (comparison ->> 'negate')::boolean then 'false' else 'true' end
      ) into passing using versions, comparison -> 'values';
    exception when others then
      passing := null;
      failed := failed || sqlstate::text;
    end;
    passed := passed || jsonb_build_array(passing);
  end loop;
  return jsonb_build_object('passed', passed, 'failed', failed);
end
$$;
