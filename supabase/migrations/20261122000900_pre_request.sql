-- Hosted Supabase answers everybody who has the publishable key, and PostgreSQL plans a request before
-- it asks a policy or runs a function: a planned count tells how many messages there are and how often
-- an address occurs, and a pattern costs seconds. PostgREST calls this function before it plans.
-- The embedded Supabase answers the site alone.

-- The path of a request, as PostgREST gives it, without the escapes of ASCII letters: what remains
-- escaped names nothing of this site.
create function private.readable_path(path text) returns text
language sql immutable
return (
  select string_agg(
    case when part[1] ~ '^%[2-7]' then chr(('x' || right(part[1], 2))::bit(8)::integer) else part[1] end,
    '' order by place
  )
  from regexp_matches(path, '%[2-7][0-9A-Fa-f]|.', 'g') with ordinality found (part, place)
);

-- Whether a path is this site's table or one of its functions, which all name the schema `private` or
-- the table.
-- Not is_trusted_site: a site asks it to learn whether it is known. Nothing is, until a site is known.
create function private.is_site_path(path text) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (select from private.trusted_site) and (
    name in ('contact_messages', 'inbox_deletions') or exists (
      select from pg_proc where pronamespace = 'public'::regnamespace and proname = name
        and prosrc ~ '(private|public[.]contact_messages)'
    )
  )
  from substring(private.readable_path(path) from '^/+(?:rpc/+)?([^/]+)') name
$$;

-- The function that the project had before; nothing if it had none.
do $$
declare
  former constant text := (
    select substring(setting from '=(.+)$')
    from pg_db_role_setting, unnest(setconfig) setting
    where setrole = 'authenticator'::regrole and setting like 'pgrst.db\_pre\_request=%'
      and setdatabase in (0, (select oid from pg_database where datname = current_database()))
    order by setdatabase desc limit 1
  );
begin
  execute format(
    'create function private.former_pre_request() returns void language plpgsql as $former$
    begin
      %s
    end
    $former$', 'perform ' || former || '();'
  );
end
$$;

-- With the rights of the caller, as PostgREST calls it.
create function private.check_request() returns void
language plpgsql
as $$
begin
  perform private.former_pre_request();
  if private.is_site_path(current_setting('request.path', true)) then
    perform private.require_site();
  end if;
end
$$;

grant execute on function
  private.is_site_path, private.require_site, private.former_pre_request, private.check_request
  to anon, authenticated, service_role;

-- Where this role may not set it, an administrator does (DEPLOY.md).
do $$
begin
  alter role authenticator set pgrst.db_pre_request = 'private.check_request';
exception when insufficient_privilege then
  raise notice 'pgrst.db_pre_request is not set: see "On hosted or self-hosted Supabase" in DEPLOY.md';
end
$$;

notify pgrst, 'reload config';
