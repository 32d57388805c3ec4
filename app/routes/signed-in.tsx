import { type MiddlewareFunction, Outlet } from "react-router";
import { requireAccount } from "#app/session/guards.server.ts";

export const middleware: MiddlewareFunction<Response>[] = [requireAccount];

/** Without a loader, client-side navigations would skip the middleware. */
export const loader = () => null;

export default function SignedIn() {
  return (
    <>
      <link rel="manifest" href="/manifest.webmanifest" />
      <Outlet />
    </>
  );
}
