/**
 * Makes the rule for where a mail's link leads in the end: to the URL that the client asked for
 * if it is on the site's origin or under an entry of the allow list, else to the site itself.
 * Compared as parsed URLs, so that `//host`, user names and back slashes cannot pass for the
 * site. Throws TypeError for a list entry that is no URL.
 */
export function createRedirectRule(siteUrl: string, allowList: string[]) {
  const bases = [siteUrl, ...allowList].map((entry) => new URL(entry));
  return (wanted: string | undefined): string => {
    const url = URL.parse(wanted ?? "");
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
