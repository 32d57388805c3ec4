import { data } from "react-router";
import { NotFound } from "#app/components/not-found.tsx";
import type { Route } from "./+types/not-found.ts";

const maxLogged = 200;

export function loader({ url }: Route.LoaderArgs) {
  console.error("404: no page at", url.pathname.slice(0, maxLogged));
  return data(null, { status: 404 });
}

export const action = loader;

export default NotFound;
