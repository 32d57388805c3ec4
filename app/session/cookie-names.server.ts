/** With `__Host-`, neither a subdomain nor plain HTTP can set the cookies (RFC 6265bis 4.1.3.2). */
export function cookieNames(secure: boolean) {
  const prefix = secure ? "__Host-" : "";
  return {
    session: `${prefix}session`,
    toast: `${prefix}toast`,
    visit: `${prefix}visit`,
    mailed: `${prefix}mailed`,
  };
}
