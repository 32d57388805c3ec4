import type { LinksFunction } from "react-router";
import site from "#app/site.css?url";

/** All pages except the contact page, which contains its styles. */
export const links: LinksFunction = () => [{ rel: "stylesheet", href: site }];
