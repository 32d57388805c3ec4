/**
 * Names of the site's cookies. `secure` sites get the `__Host-` prefix, which makes the
 * browser itself refuse a copy set from a subdomain or over plain HTTP (RFC 6265bis 4.1.3.2).
 */
export function cookieNames(secure: boolean) {
  const prefix = secure ? "__Host-" : "";
  return {
    session: `${prefix}session`,
    notice: `${prefix}notice`,
    visit: `${prefix}visit`,
    device: `${prefix}device`,
  };
}
