-- The roles of a hosted project. Run as superuser at every start, in one transaction with
-- schemas.sql; passwords are set separately.
do $$
declare
  wanted constant text[][] := array[
    -- supabase_admin is the superuser that initdb made.
    ['anon', 'nologin noinherit'],
    ['authenticated', 'nologin noinherit'],
    ['service_role', 'nologin noinherit bypassrls'],
    ['authenticator', 'login noinherit'],
    ['supabase_auth_admin', 'login noinherit'],
    ['supabase_replication_admin', 'login replication'],
    ['postgres', 'login createdb createrole bypassrls replication']
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

-- authenticator is noinherit: it has the rights of these only after `set role`.
grant anon, authenticated, service_role to authenticator;
grant anon, authenticated, service_role, authenticator to postgres with admin option;

alter role authenticator set statement_timeout = '8s';
alter role authenticator set lock_timeout = '8s';
alter role supabase_auth_admin set search_path = 'auth';
alter role supabase_auth_admin set idle_in_transaction_session_timeout = '60s';
