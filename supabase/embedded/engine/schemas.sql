-- Objects that migrations for hosted projects expect. Runs as superuser at a start of another version too, so
-- every statement is idempotent.
do $$
begin
  execute format('alter database %I owner to postgres', current_database());
  execute format('alter database %I set search_path to "$user", public, extensions', current_database());
end
$$;

create schema if not exists extensions authorization postgres;
grant usage on schema extensions to anon, authenticated, service_role, supabase_auth_admin;
create extension if not exists pgcrypto with schema extensions;

grant usage on schema public to anon, authenticated, service_role;
alter default privileges for role postgres in schema public
  grant all on tables to anon, authenticated, service_role;
alter default privileges for role postgres in schema public
  grant all on sequences to anon, authenticated, service_role;
-- Only on a new database: the first migration takes these rights back.
do $$
begin
  if to_regnamespace('supabase_migrations') is null then
    alter default privileges for role postgres in schema public
      grant all on functions to anon, authenticated, service_role;
  end if;
end
$$;

create schema if not exists auth authorization supabase_auth_admin;
grant usage on schema auth to anon, authenticated, service_role;
grant all on schema auth to postgres;
alter default privileges for role supabase_auth_admin in schema auth
  grant all on tables to postgres with grant option;
alter default privileges for role supabase_auth_admin in schema auth
  grant all on sequences to postgres with grant option;
alter default privileges for role supabase_auth_admin in schema auth
  grant all on functions to postgres with grant option;

set local role supabase_auth_admin;

create or replace function auth.jwt() returns jsonb language sql stable
as $$ select nullif(current_setting('request.jwt.claims', true), '')::jsonb $$;
create or replace function auth.uid() returns uuid language sql stable
as $$ select (auth.jwt() ->> 'sub')::uuid $$;
create or replace function auth.role() returns text language sql stable
as $$ select auth.jwt() ->> 'role' $$;
create or replace function auth.email() returns text language sql stable
as $$ select auth.jwt() ->> 'email' $$;

reset role;

do $$
begin
  if not exists (select from pg_catalog.pg_publication where pubname = 'supabase_realtime') then
    create publication supabase_realtime;
  end if;
end
$$;
alter publication supabase_realtime owner to postgres;

create schema if not exists supabase_migrations authorization postgres;
-- As the Supabase CLI creates it (pkg/migration/history.go).
set local role postgres;
create table if not exists supabase_migrations.schema_migrations (
  version text not null primary key,
  statements text[],
  name text
);
reset role;

-- For what runs after the migrations.
create schema if not exists embedded;
