import { NotFound } from "#app/components/not-found.tsx";
import type { Route } from "./+types/not-found.ts";
import { unknownPath } from "./unknown-path.server.ts";

export const loader = ({ url }: Route.LoaderArgs) => unknownPath(url);

export const action = loader;

export default NotFound;
