import { layout, route, type RouteConfig } from "@react-router/dev/routes";

export default [
  // No index route: forms of one post to "/?index".
  route("/", "routes/home/home.tsx"),
  route("auth", "routes/auth/auth.tsx"),
  route("auth/code", "routes/auth/code.tsx"),
  route("auth/forgot", "routes/auth/forgot.tsx"),
  route("auth/resend", "routes/auth/resend.tsx"),
  route("auth/confirm", "routes/auth/confirm.tsx"),
  route("sign-out", "routes/sign-out.ts"),
  layout("routes/signed-in.tsx", [
    route("admin", "routes/admin/board.tsx"),
    route("admin/claim", "routes/admin/claim.tsx"),
    route("account", "routes/account/account.tsx"),
    route("account/email", "routes/account/email.tsx"),
    route("account/password", "routes/account/password.tsx"),
    route("account/factors/new", "routes/account/new-factor.tsx"),
    route("account/factors/:id/remove", "routes/account/remove-factor.tsx"),
    route("account/recovery-codes", "routes/account/recovery-codes.tsx"),
  ]),
  route("refused", "routes/refused.tsx"),
  route("*", "routes/not-found.tsx"),
] satisfies RouteConfig;
