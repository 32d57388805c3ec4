import type { ReactNode } from "react";
import {
  data,
  type GetScrollRestorationKeyFunction,
  isRouteErrorResponse,
  Meta,
  type MiddlewareFunction,
  Outlet,
  redirectDocument,
  Scripts,
  ScrollRestoration,
  type ShouldRevalidateFunctionArgs,
  useLocation,
  useMatches,
  useRouteError,
  useRouteLoaderData,
} from "react-router";
import { getToast } from "remix-toast";
import type { Route } from "./+types/root.ts";
import { errorText } from "./components/error-text.ts";
import type { Handle, StartOfScripts } from "./components/handle.ts";
import { NotFound } from "./components/not-found.tsx";
import { PageToast, Toaster } from "./components/toasts.tsx";
import { UnexpectedError } from "./components/unexpected-error.tsx";
import { boardFile, sheetOf, textOf } from "./document/style-sheets.ts";
import { isUnreachable } from "./hooks/reachable.ts";
import { useHydrated } from "./hooks/use-hydrated.ts";
import { useReloadWhenReachable } from "./hooks/use-reload-when-reachable.ts";
import { useSessionSync } from "./hooks/use-session-sync.ts";
import { requireExactPath } from "./routes/unknown-path.server.ts";
import { getClaims } from "./session/claims.server.ts";
import { cookieNames } from "./session/cookie-names.server.ts";
import { clearsStorage, signedOut } from "./session/signed-out.server.ts";
import { siteContext } from "./session/site-context.server.ts";
import { supabaseMiddleware } from "./session/supabase.server.ts";

export const middleware: MiddlewareFunction<Response>[] = [requireExactPath, supabaseMiddleware];

export async function loader({ request, context }: Route.LoaderArgs) {
  const { toast: name } = cookieNames(context.get(siteContext).secure);
  // Reading a toast signs a cookie, which takes longer than anything else here.
  const hasToast = request.headers.get("Cookie")?.includes(name);
  const { toast, headers } = hasToast ? await getToast(request) : {};
  if (toast?.message === signedOut.message) {
    headers?.set("Clear-Site-Data", clearsStorage);
  }
  const claims = await getClaims(request, context);
  return data({ toast, account: claims?.sub }, toast && { headers });
}

/** Loads a page with another style sheet as a document, which brings it. */
const loadStyles: Route.ClientMiddlewareFunction = ({ request }, next) => {
  const { pathname } = new URL(request.url);
  if (request.method === "POST" || sheetOf(pathname) === sheetOf(location.pathname)) {
    return next();
  }
  throw redirectDocument(request.url);
};

export const clientMiddleware: Route.ClientMiddlewareFunction[] = [loadStyles];

export const headers: Route.HeadersFunction = ({ loaderHeaders }) => loaderHeaders;

/**
 * A toast comes with a form, or with a redirect to another page. Other loads are the page's own: the
 * board's survives a broken connection, and this one would fail beside it.
 */
export const shouldRevalidate = (change: ShouldRevalidateFunctionArgs) =>
  change.formMethod === "POST"
    ? (change.actionStatus ?? 200) < 400
    : change.currentUrl.pathname !== change.nextUrl.pathname;

export function Layout({ children }: { children: ReactNode }) {
  const sheet = sheetOf(useLocation().pathname);
  const scripts = useScripts();
  return (
    <html lang="ar" dir="rtl">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        {sheet === "board" ? (
          <link rel="stylesheet" href={boardFile} />
        ) : (
          <style href={`${sheet}.css`} precedence="default">
            {textOf(sheet)}
          </style>
        )}
        <Meta />
        <link rel="icon" href="/icon.svg" />
      </head>
      <body>
        <Toaster />
        {children}
        <ClientScrollRestoration />
        {scripts !== "never" && <Scripts data-start={scripts} />}
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
  const isAway = isUnreachable(error);
  useReloadWhenReachable(isAway);
  const status = isRouteErrorResponse(error) ? error.status : 500;
  if (status === 404) {
    return <NotFound />;
  }
  const fault = status < 500 ? "request" : "site";
  return <UnexpectedError text={errorText(error)} cause={isAway ? "connection" : fault} />;
}

/** When the page's scripts start (components/handle.ts). */
function useScripts(): StartOfScripts {
  const matches = useMatches();
  const error = useRouteError();
  const root = useRouteLoaderData<typeof loader>("root");
  const [starts] = matches.flatMap(({ handle }) => (handle as Handle | undefined)?.scripts ?? []);
  if (error) {
    // A page of messages that was unreachable reloads itself.
    return starts === "at-once" && isUnreachable(error) ? starts : "never";
  }
  // In development they always start, for hot reload.
  return root?.toast || import.meta.env.DEV ? "at-once" : (starts ?? "at-use");
}

/** For navigations by scripts; the browser itself restores the scroll position of documents. */
function ClientScrollRestoration() {
  return useHydrated() && <ScrollRestoration getKey={placeOf} />;
}

/**
 * The board's list, where it stands beside the open message (`list` in routes/admin/use-open.ts), has
 * one place for all of them: it may have been scrolled meanwhile.
 */
const placeOf: GetScrollRestorationKeyFunction = ({ key, state }) =>
  (matchMedia("(width >= 64rem)").matches && (state as { list?: string } | null)?.list) || key;
