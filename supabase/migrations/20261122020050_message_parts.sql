-- What is searched is put together in one place. The index keeps its entries: their texts are the
-- same.

-- No word has a line break, so none reaches over two of the parts.
create function private.message_parts(name text, email text, phone text, message text, note text)
returns text
language sql immutable parallel safe
as $$
  select name || e'\n' || email || e'\n' || coalesce(phone, '') || e'\n' || message || e'\n' || coalesce(note, '')
$$;

create or replace function private.search_text(name text, email text, phone text, message text, note text)
returns text
language sql immutable parallel safe
as $$
  select private.fold(private.message_parts(name, email, phone, message, note))
$$;

create or replace function private.search_key(name text, email text, phone text, message text, note text)
returns text
language sql immutable parallel safe
as $$
  select private.index_letters(private.message_parts(name, email, phone, message, note))
$$;

revoke execute on function private.message_parts from public;
-- The index is written with the rights of the sender.
grant execute on function private.message_parts to anon, authenticated, service_role;
