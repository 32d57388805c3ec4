import { type ComponentProps, type ReactNode, type SubmitEvent, useRef } from "react";
import { Form, useActionData, useSubmit } from "react-router";
import type { OfflineResult } from "#app/hooks/keep-form.ts";
import { focusWrong, useBusy, useOnEnd } from "#app/hooks/use-busy.ts";
import { sendOnce } from "./button-form.tsx";
import { buttonClass } from "./button.ts";
import { focusOnLoad } from "./focus-on-load.ts";
import { Failure } from "./form-parts.tsx";
import { SignInLink } from "./sign-in-link.tsx";

type FormProps = ComponentProps<typeof Form>;

interface PostFormProps extends FormProps {
  submit: string;
  failure: ReactNode;
  buttons?: ReactNode;
  /** Of its button; "danger" deletes for good. */
  look?: "primary" | "quiet" | "danger";
}

/**
 * A form with fields. Disabled while a request runs; a refusal focuses the first invalid field. It has no role:
 * while a required field is empty, Firefox calls the form invalid.
 */
export function PostForm(props: PostFormProps) {
  const { submit, failure, buttons, look = "primary", onSubmit, children, ...others } = props;
  const form = useRef<HTMLFormElement>(null);
  const send = useSubmit();
  const answer = useActionData<OfflineResult>();
  const isBusy = useBusy();
  const wasSent = useRef(false);
  useOnEnd(isBusy, () => {
    if (wasSent.current) {
      focusWrong(form.current);
    }
    wasSent.current = false;
  });
  function post(event: SubmitEvent<HTMLFormElement>) {
    onSubmit?.(event);
    sendOnce(event, (target) => {
      wasSent.current = true;
      return send(target, { flushSync: true });
    });
  }
  return (
    <Form ref={form} role="none" method="post" {...others} onSubmit={post}>
      <fieldset disabled={isBusy} className="flex grow flex-col gap-5">
        {children}
        {failure && (
          <Failure {...focusOnLoad}>
            {failure} {answer?.needsSignIn && <SignInLink />}
          </Failure>
        )}
        <button type="submit" className={buttonClass(look, "min-h-14 text-lg")}>
          {isBusy ? "جاري التحميل..." : submit}
        </button>
        {buttons && <div className="grid gap-2">{buttons}</div>}
      </fieldset>
    </Form>
  );
}
