import { href, useLocation } from "react-router";
import { withNext } from "#app/lib/safe-path.ts";

/** Leads to the sign-in, or to the code that is due, in another tab: this page keeps what was typed. */
export function SignInLink() {
  const { pathname, search } = useLocation();
  return (
    <a
      href={withNext(href("/auth"), pathname + search)}
      target="_blank"
      className="underline underline-offset-4"
    >
      تسجيل الدخول في صفحة جديدة
    </a>
  );
}
