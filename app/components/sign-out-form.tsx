import { Form, href } from "react-router";
import { buttonClass } from "./button.ts";
import { clearToasts } from "./toast-store.ts";

/** Ends the session of this browser, by POST, so that no link can do it. */
export function SignOutForm() {
  return (
    <Form method="post" action={href("/sign-out")} onSubmit={clearToasts} className="grid">
      <button type="submit" className={buttonClass("quiet")}>
        تسجيل الخروج
      </button>
    </Form>
  );
}
