import { data } from "react-router";
import { NotFound } from "#app/components/not-found.tsx";
import type { Route } from "./+types/not-found.ts";
import { log } from "#app/lib/log.server.ts";

const maxLogged = 200;

export function loader({ url }: Route.LoaderArgs) {
  log.info("404: no page", { path: url.pathname.slice(0, maxLogged) });
  return data(null, { status: 404 });
}

export const action = loader;

export default NotFound;
