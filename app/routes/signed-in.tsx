import type { MiddlewareFunction } from "react-router";
import { requireAccount } from "#app/session/guards.server.ts";

export { Outlet as default } from "react-router";

export const middleware: MiddlewareFunction<Response>[] = [requireAccount];

/** Without a loader, client-side navigations would skip the middleware. */
export const loader = () => null;
