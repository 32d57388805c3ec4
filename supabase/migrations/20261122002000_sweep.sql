-- The embedded site sweeps expired counts of attempts itself. On hosted Supabase pg_cron does, if the
-- extension is enabled; without it each attempt still deletes ten of them.
do $$
begin
  if to_regprocedure('cron.schedule(text, text, text)') is not null then
    perform cron.schedule('sweep attempts', '*/10 * * * *', 'select public.sweep_attempts()');
  end if;
end
$$;
