import { index, layout, route, type RouteConfig } from "@react-router/dev/routes";

export default [
  index("routes/home/home.tsx"),
  route("auth", "routes/auth/auth.tsx"),
  route("sign-out", "routes/sign-out.ts"),
  layout("routes/signed-in.tsx", [
    route("admin", "routes/admin/board.tsx"),
    route("admin/claim", "routes/admin/claim.tsx"),
    route("admin/live", "routes/admin/live.ts"),
  ]),
  route("*", "routes/not-found.tsx"),
] satisfies RouteConfig;
