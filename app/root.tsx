import type { ReactNode } from "react";
import {
  data,
  type GetScrollRestorationKeyFunction,
  isRouteErrorResponse,
  Links,
  Meta,
  type MiddlewareFunction,
  Outlet,
  Scripts,
  ScrollRestoration,
  type ShouldRevalidateFunctionArgs,
  useMatches,
  useRouteError,
} from "react-router";
import { getToast } from "remix-toast";
import type { Route } from "./+types/root.ts";
import { errorText } from "./components/error-text.ts";
import { hasScripts } from "./components/handle.ts";
import { NotFound } from "./components/not-found.tsx";
import { PageToast, Toaster } from "./components/toasts.tsx";
import { UnexpectedError } from "./components/unexpected-error.tsx";
import { isAway } from "./hooks/reachable.ts";
import { useSessionSync } from "./hooks/use-session-sync.ts";
import { requireExactPath } from "./routes/unknown-path.server.ts";
import { getClaims } from "./session/claims.server.ts";
import { supabaseMiddleware } from "./session/clients.server.ts";
import { cookieNames } from "./session/cookie-names.server.ts";
import { siteContext } from "./session/site-context.server.ts";
import site from "./site.css?url";

export const middleware: MiddlewareFunction<Response>[] = [requireExactPath, supabaseMiddleware];

export async function loader({ request, context }: Route.LoaderArgs) {
  const { toast: name } = cookieNames(context.get(siteContext).secure);
  // Reading a toast signs a cookie, which takes longer than anything else here.
  const hasToast = request.headers.get("Cookie")?.includes(name);
  const { toast, headers } = hasToast ? await getToast(request) : {};
  const claims = await getClaims(request, context);
  return data({ toast, account: claims?.sub }, toast && { headers });
}

export const headers: Route.HeadersFunction = ({ loaderHeaders }) => loaderHeaders;

/**
 * A toast can come with a form, or with a redirect to another page. In all other loads only the page's
 * own loader runs: the board's survives a broken connection, and this loader would fail there.
 */
export const shouldRevalidate = (change: ShouldRevalidateFunctionArgs) =>
  change.formMethod === "POST"
    ? (change.actionStatus ?? 200) < 400
    : change.currentUrl.pathname !== change.nextUrl.pathname;

export function Layout({ children }: { children: ReactNode }) {
  const error = useRouteError();
  const handles = useMatches().map(({ handle }) => handle);
  const isScripted = hasScripts(handles, error);
  return (
    <html lang="ar" dir="rtl">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <Links />
        <Meta />
        <link rel="icon" href="/icon.svg" />
      </head>
      <body>
        {children}
        {isScripted && <Toaster />}
        {isScripted && <ScrollRestoration getKey={placeOf} />}
        {isScripted && <Scripts />}
        {import.meta.env.DEV && !isScripted && <script type="module" src="/@vite/client" />}
      </body>
    </html>
  );
}

export default function App({ loaderData: { toast, account } }: Route.ComponentProps) {
  useSessionSync(account);
  return (
    <>
      <PageToast toast={toast} />
      <Outlet />
    </>
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const status = isRouteErrorResponse(error) ? error.status : 500;
  return (
    <>
      {/* React Router leaves out the links of the pages below. */}
      <link rel="stylesheet" href={site} precedence="default" />
      {status === 404 ? (
        <NotFound />
      ) : (
        <UnexpectedError
          text={errorText(error)}
          cause={isAway(error) ? "away" : status < 500 ? "refused" : "fault"}
        />
      )}
    </>
  );
}

/**
 * The board's list, when it stands next to the open message (`list` in routes/admin/use-open.ts), has
 * one place for all of them: it may have been scrolled in the meantime.
 */
const placeOf: GetScrollRestorationKeyFunction = ({ key, state }) => {
  const { list } = (state ?? {}) as { list?: string };
  return list !== undefined && matchMedia("(width >= 64rem)").matches ? list : key;
};
