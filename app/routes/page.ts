import type { LinksFunction } from "react-router";
import site from "#app/site.css?url";

/** All pages but the contact page, which has its styles in itself. */
export const links: LinksFunction = () => [{ rel: "stylesheet", href: site }];
