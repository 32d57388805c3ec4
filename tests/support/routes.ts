const noId = "00000000-0000-4000-8000-000000000000";

/** Every way to change something through the pages: a new action is added here. */
export const actions: { path: string; form: Record<string, string> }[] = [
  { path: "/", form: { name: "س", email: "a@example.com", phone: "", message: "م", t_extra: "" } },
  { path: "/auth", form: { email: "nobody@example.com", password: "no password" } },
  { path: "/auth?mode=sign-up", form: { email: "wrong", password: "short" } },
  { path: "/sign-out", form: {} },
  { path: "/admin", form: { id: noId } },
  { path: "/admin/claim", form: { code: "00000-00000-00000-00000" } },
  { path: "/auth/code", form: { code: "000000" } },
  { path: "/auth/code?recovery", form: { recovery: "00000-00000-00000-00000" } },
  { path: "/auth/forgot", form: { email: "nobody@example.com" } },
  { path: "/auth/resend", form: { email: "nobody@example.com" } },
  { path: "/auth/confirm?type=signup&token_hash=x", form: {} },
  { path: "/auth/confirm?type=recovery", form: { email: "nobody@example.com", code: "000000" } },
  { path: "/account", form: { session: "others" } },
  { path: "/account/email", form: { email: "other@example.com", current: "wrong one" } },
  { path: "/account/password", form: { password: "another one", current: "wrong one" } },
  { path: "/account/factors/new", form: { name: "هاتفي", current: "wrong one" } },
  { path: `/account/factors/${noId}/remove`, form: { current: "wrong one" } },
  { path: "/account/recovery-codes", form: { current: "wrong one" } },
  { path: "/no/such/page", form: {} },
];

/** Every page, and the session that it needs: add new pages here. */
export const pages: { path: string; session: "any" | "none" | "needed" }[] = [
  { path: "/", session: "any" },
  { path: "/auth", session: "none" },
  { path: "/auth?mode=sign-up", session: "none" },
  { path: "/admin", session: "needed" },
  { path: "/admin?box=spam", session: "needed" },
  { path: "/admin/claim", session: "needed" },
  { path: "/sign-out", session: "any" },
  { path: "/auth/code", session: "needed" },
  { path: "/auth/forgot", session: "any" },
  { path: "/auth/resend", session: "any" },
  { path: "/auth/confirm?type=signup&token_hash=x", session: "any" },
  { path: "/auth/confirm?type=recovery", session: "any" },
  { path: "/account", session: "needed" },
  { path: "/account/email", session: "needed" },
  { path: "/account/password", session: "needed" },
  { path: "/account/factors/new", session: "needed" },
  { path: `/account/factors/${noId}/remove`, session: "needed" },
  { path: "/account/recovery-codes", session: "needed" },
];
