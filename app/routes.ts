import { layout, route, type RouteConfig } from "@react-router/dev/routes";

/** /ADMIN is not /admin. root.tsx removes slashes at the end, which React Router ignores. */
const exact = (path: string, file: string) => route(path, file, { caseSensitive: true });

export default [
  // No index route: forms of one post to "/?index".
  exact("/", "routes/home/home.tsx"),
  exact("sign-out", "routes/sign-out.ts"),
  exact("admin/export", "routes/admin/export.ts"),
  layout("routes/page.ts", [
    exact("privacy", "routes/privacy/privacy.tsx"),
    exact("receipt", "routes/privacy/receipt.tsx"),
    exact("account/documents/:name", "routes/account/document.tsx"),
    exact("refused", "routes/refused.tsx"),
    route("*", "routes/not-found.tsx"),
  ]),
  layout("routes/scripted.ts", [
    exact("auth", "routes/auth/auth.tsx"),
    exact("auth/code", "routes/auth/code.tsx"),
    exact("auth/forgot", "routes/auth/forgot.tsx"),
    exact("auth/resend", "routes/auth/resend.tsx"),
    exact("auth/confirm", "routes/auth/confirm.tsx"),
    layout("routes/signed-in.ts", [
      exact("admin", "routes/admin/board.tsx"),
      exact("admin/claim", "routes/admin/claim.tsx"),
      exact("admin/empty", "routes/admin/empty.tsx"),
      exact("admin/live", "routes/admin/live.ts"),
      exact("account", "routes/account/account.tsx"),
      exact("account/delete", "routes/account/delete.tsx"),
      exact("account/email", "routes/account/change-email.tsx"),
      exact("account/password", "routes/account/password.tsx"),
      exact("account/factors/new", "routes/account/new-factor.tsx"),
      exact("account/factors/:id/remove", "routes/account/remove-factor.tsx"),
      exact("account/sessions/:id/end", "routes/account/end-session.tsx"),
    ]),
  ]),
] satisfies RouteConfig;
