/** Returns SQL for a function without arguments that only the secret key may call over REST. */
export const serviceFunction = (name: string, body: string) => `
  create function public.${name}() returns void language sql security definer set search_path = ''
  as $$ ${body} $$;
  revoke execute on function public.${name} from public, anon, authenticated;
  grant execute on function public.${name} to service_role;`;
