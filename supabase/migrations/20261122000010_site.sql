-- Who asks: the site itself, or a visitor, whose address limits count.

-- A site on another machine asks on behalf of its visitors. It proves itself with its SITE_SECRET,
-- whose SHA-256 is stored here. Then limits count the visitor's address that it sends.
create table private.trusted_site (
  secret_hash bytea primary key check (octet_length(secret_hash) = 32)
);

-- Whether the request's x-site-secret is the secret of a trusted site. A site asks this at its start,
-- so that a wrong secret is noticed before its visitors share one limit.
create function public.is_trusted_site() returns boolean
language sql stable security definer set search_path = ''
return exists (
  select from private.trusted_site
  where secret_hash = sha256(convert_to(
    nullif(current_setting('request.headers', true), '')::jsonb ->> 'x-site-secret', 'UTF8'
  ))
);

-- Refuses callers that are not the site itself: one on hosted Supabase calls as anon, the embedded one as
-- service_role.
create function private.require_site() returns void
language plpgsql stable security definer set search_path = ''
as $$
begin
  if (auth.role() = 'service_role' or public.is_trusted_site()) is not true then
    raise sqlstate 'PT403' using message = 'Only the site may do this';
  end if;
end
$$;

-- An address as limits count it: of IPv6 the /64, which one customer holds. All that cannot be read
-- are 'unknown', and share one limit.
create function private.address_key(written text) returns text
language plpgsql immutable set search_path = ''
as $$
declare
  address inet;
begin
  -- A port, the brackets that go with it, and a zone are not part of the address.
  written := trim(left(written, 100));
  written := regexp_replace(written, '^(\d+(?:\.\d+){3}):\d+$', '\1');
  written := regexp_replace(written, '^\[(.*)\](?::\d+)?$', '\1');
  written := regexp_replace(written, '%.*$', '');
  address := written;
  if address << '::ffff:0:0/96' then
    address := substr(host(address), char_length('::ffff:') + 1);
  end if;
  return case family(address)
    when 4 then host(address)
    when 6 then network(set_masklen(address, 64))::text
    else 'unknown'
  end;
-- PostgreSQL 15 has no pg_input_is_valid.
exception when invalid_text_representation then
  return 'unknown';
end
$$;

-- The caller's address, as the gateway or a trusted site saw it. Null for callers without limits:
-- outside a request, and service_role.
create function private.client_address() returns text
language plpgsql stable security definer set search_path = ''
as $$
declare
  headers jsonb := nullif(current_setting('request.headers', true), '')::jsonb;
begin
  if headers is null or auth.role() = 'service_role' then
    return null;
  end if;
  return private.address_key(case
    when public.is_trusted_site() then headers ->> 'x-visitor-address'
    else coalesce(
      headers ->> 'cf-connecting-ip', split_part(headers ->> 'x-forwarded-for', ',', -1)
    )
  end);
end
$$;

grant execute on function public.is_trusted_site to anon;
