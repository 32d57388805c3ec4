-- The site waits 5 seconds for a page and 10 for a form. The database gives up before its visitor
-- does, so that what nobody waits for holds no connection and no lock.
alter role anon set statement_timeout = '3s';
alter role anon set lock_timeout = '1s';
alter role authenticated set statement_timeout = '4s';
alter role authenticated set lock_timeout = '2s';
alter role service_role set statement_timeout = '8s';
alter role service_role set lock_timeout = '3s';

-- PostgREST reads the settings of roles when it starts, and then.
notify pgrst, 'reload config';
