import { Icon } from "#app/components/icons.tsx";

/** The sign next to a link: an arrow if it leaves the site, or a chevron if it leads to its own pages. */
export function Arrow({ link, className }: { link: string; className: string }) {
  const path = link.startsWith("/") ? "m15 6-6 6 6 6" : "M17 17 7 7M15.5 7H7v8.5";
  return <Icon path={path} className={`text-brand ${className}`} />;
}
