/**
 * Names of the site's cookies, on HTTPS with the prefix that makes browsers refuse copies of a
 * subdomain or of plain HTTP (RFC 6265bis 4.1.3.2).
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
