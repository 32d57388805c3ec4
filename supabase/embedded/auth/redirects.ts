const longestUrl = 2048;

/**
 * Returns the rule for a mail's link: the wanted URL if the site or the list has it, else the site.
 * It compares parsed URLs: `//host` and backslashes must not pass. Throws TypeError for a non-URL.
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
