-- Whether the x-site-secret of the request is a site's (private.trusted_site). A site asks at its
-- start, so that a wrong secret is found before its visitors share one limit.
create function public.is_trusted_site() returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
    select from private.trusted_site
    where secret_hash = sha256(convert_to(
      nullif(current_setting('request.headers', true), '')::jsonb ->> 'x-site-secret', 'UTF8'
    ))
  )
$$;
revoke execute on function public.is_trusted_site from public, authenticated, service_role;
grant execute on function public.is_trusted_site to anon;
