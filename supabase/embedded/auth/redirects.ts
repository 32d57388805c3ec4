const maxUrlLength = 2048;

/**
 * Returns a function that returns the requested URL if it is below the site or the list, else the
 * site. It compares parsed URLs, so that `//host` and backslashes do not pass. Throws TypeError if
 * the list has an invalid URL.
 */
export function createRedirectRule(siteUrl: string, allowList: string[]) {
  const bases = [siteUrl, ...allowList].map((entry) => new URL(entry));
  return (requested: string | undefined): string => {
    const url = requested && requested.length <= maxUrlLength ? URL.parse(requested) : undefined;
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
