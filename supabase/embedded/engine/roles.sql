-- The roles of a hosted project. Runs as superuser in one transaction with schemas.sql and auth.sql. The passwords are
-- set after them.
do $$
declare
  wanted constant text[][] := array[
    ['anon', 'nologin noinherit'],
    ['authenticated', 'nologin noinherit'],
    ['service_role', 'nologin noinherit bypassrls'],
    ['authenticator', 'login noinherit'],
    ['service_authenticator', 'login noinherit'],
    ['supabase_auth_admin', 'login noinherit'],
    ['postgres', 'login createdb createrole bypassrls']
  ];
  i int;
begin
  for i in 1 .. array_length(wanted, 1) loop
    if not exists (select from pg_catalog.pg_roles where rolname = wanted[i][1]) then
      execute format('create role %I %s', wanted[i][1], wanted[i][2]);
    end if;
  end loop;
end
$$;

-- API logins are noinherit: they need `set role` to use these roles' rights. The login for visitors
-- and accounts cannot become service_role.
grant anon, authenticated to authenticator;
revoke service_role from authenticator;
grant service_role to service_authenticator;
grant anon, authenticated, service_role, authenticator to postgres with admin option;

alter role authenticator set statement_timeout = '8s';
alter role authenticator set lock_timeout = '8s';
alter role service_authenticator set statement_timeout = '8s';
alter role service_authenticator set lock_timeout = '8s';
alter role supabase_auth_admin set search_path = 'auth';
alter role supabase_auth_admin set idle_in_transaction_session_timeout = '60s';
alter role supabase_auth_admin set statement_timeout = '8s';
alter role supabase_auth_admin set lock_timeout = '3s';
