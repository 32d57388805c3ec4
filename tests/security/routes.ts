/** Every way to change something through the pages: a new action is added here. */
export const actions: { path: string; form: Record<string, string> }[] = [
  { path: "/?index", form: { name: "س", email: "a@example.com", message: "م", t_extra: "" } },
  { path: "/auth", form: { email: "nobody@example.com", password: "no password" } },
  { path: "/auth?mode=sign-up", form: { email: "wrong", password: "short" } },
  { path: "/sign-out", form: {} },
  { path: "/admin", form: { id: "00000000-0000-4000-8000-000000000000" } },
  { path: "/admin/claim", form: {} },
  { path: "/no/such/page", form: {} },
];

/** Every page, and what stands in front of it: a new page is added here. */
export const pages: { path: string; session: "any" | "none" | "needed" }[] = [
  { path: "/", session: "any" },
  { path: "/auth", session: "none" },
  { path: "/auth?mode=sign-up", session: "none" },
  { path: "/admin", session: "needed" },
  { path: "/admin?box=spam", session: "needed" },
  { path: "/admin/claim", session: "needed" },
  { path: "/admin/live", session: "needed" },
  { path: "/sign-out", session: "any" },
];
