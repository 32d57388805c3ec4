import { data } from "react-router";
import { NotFound } from "../components/not-found.tsx";
import type { Route } from "./+types/not-found.ts";

export function loader({ url }: Route.LoaderArgs) {
  console.error("404: no page at", url.pathname);
  return data(null, { status: 404 });
}

export const action = loader;

export default NotFound;
