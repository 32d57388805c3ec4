import { type ComponentProps, type ReactNode, type SubmitEvent, useEffect, useRef } from "react";
import { Form, type SubmitTarget, useFetcher } from "react-router";
import type { OfflineResult } from "#app/hooks/keep-form.ts";
import { focusWrong, useBusy, useOnEnd } from "#app/hooks/use-busy.ts";
import { SignInLink } from "./sign-in-link.tsx";
import { showToast } from "./toast-store.ts";

interface ButtonFormProps extends Pick<
  ComponentProps<typeof Form>,
  "action" | "onSubmit" | "className"
> {
  children: ReactNode;
}

/** A form of one button, whose action redirects. A failure shows a toast on the same page. */
export function ButtonForm({ onSubmit, children, ...others }: ButtonFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const { submit, state, data } = useFetcher<OfflineResult>();
  const isBusy = useBusy();
  useOnEnd(state !== "idle", () => focusWrong(form.current));
  useEffect(() => {
    if (data) {
      const { reason, needsSignIn } = data;
      const description = needsSignIn ? (
        <>
          {reason} <SignInLink />
        </>
      ) : (
        reason
      );
      showToast({ type: "error", message: "خطأ", description });
    }
  }, [data]);
  function post(event: SubmitEvent<HTMLFormElement>) {
    onSubmit?.(event);
    sendOnce(event, (target) => submit(target, { flushSync: true }));
  }
  return (
    <Form ref={form} method="post" {...others} onSubmit={post}>
      <fieldset disabled={isBusy} className="grid">
        {children}
      </fieldset>
    </Form>
  );
}

/** flushSync disables the form before the event ends, so that a second click has no effect. */
export function sendOnce(
  event: SubmitEvent<HTMLFormElement>,
  send: (target: SubmitTarget) => Promise<void>,
) {
  if (!event.defaultPrevented) {
    event.preventDefault();
    const { submitter } = event.nativeEvent;
    void send(submitter instanceof HTMLButtonElement ? submitter : event.currentTarget);
  }
}
