-- An address as the limits count it: an IPv6 address is its /56, because a home has 256 /64s.
create or replace function private.address_key(address inet) returns text
language sql immutable
return case
  when address << '::ffff:0:0/96' then substr(host(address), char_length('::ffff:') + 1)
  when family(address) = 6 then network(set_masklen(address, 56))::text
  else host(address)
end;
