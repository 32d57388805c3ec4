-- The site calls for its visitors, as service_role: their address is an argument of what counts it.

-- An address as limits count it: of IPv6 the /64, which one customer holds.
create function private.address_key(address inet) returns text
language sql immutable
return case
  when address << '::ffff:0:0/96' then substr(host(address), char_length('::ffff:') + 1)
  when family(address) = 6 then network(set_masklen(address, 64))::text
  else host(address)
end;
