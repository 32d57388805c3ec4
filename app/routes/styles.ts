import type { LinksFunction } from "react-router";
import site from "#app/site.css?url";

/** The styles of all pages except the contact page, which contains its own. */
export const links: LinksFunction = () => [
  // React then writes it before the scripts: a slow network would bring them first.
  { rel: "stylesheet", href: site, precedence: "default" },
];
