import type { MiddlewareFunction } from "react-router";
import { requireAccount } from "#app/session/guards.server.ts";

export const middleware: MiddlewareFunction<Response>[] = [requireAccount];

/** Without a loader, client-side navigations would skip the middleware. */
export const loader = () => null;

/** Each page in it has a loader of its own, whose request passes the middleware. */
export const shouldRevalidate = () => false;
