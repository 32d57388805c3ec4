const longestUrl = 2048;

/**
 * Where a mail's link may lead: to the wanted URL if it is on the site or under an entry of the
 * list, else to the site. Parsed URLs are compared, so that `//host`, user names and backslashes
 * do not pass for the site. Throws TypeError for an entry that is no URL.
 */
export function createRedirectRule(siteUrl: string, allowList: string[]) {
  const bases = [siteUrl, ...allowList].map((entry) => new URL(entry));
  return (wanted: string | undefined): string => {
    const url = wanted && wanted.length <= longestUrl ? URL.parse(wanted) : undefined;
    if (!url || url.username !== "" || url.password !== "") {
      return siteUrl;
    }
    return bases.some((base) => isUnder(url, base)) ? url.href : siteUrl;
  };
}

function isUnder(url: URL, base: URL): boolean {
  if (url.protocol !== base.protocol || url.host !== base.host) {
    return false;
  }
  const folder = base.pathname.replace(/\/$/, "");
  return url.pathname === folder || url.pathname.startsWith(`${folder}/`);
}
