import { type ComponentProps, type ReactNode, type SubmitEvent, useEffect, useRef } from "react";
import { Form, type SubmitTarget, useFetcher, useSubmit } from "react-router";
import type { OfflineResult } from "#app/hooks/keep-form.ts";
import { focusWrong, useBusy, useOnEnd } from "#app/hooks/use-busy.ts";
import { buttonClass } from "./button.ts";
import { Failure, focusOnLoad } from "./form-parts.tsx";
import { showToast } from "./toast-store.ts";

type FormProps = ComponentProps<typeof Form>;

interface PostFormProps extends FormProps {
  submit: string;
  failure: ReactNode;
  buttons?: ReactNode;
}

/** A form with fields. Disabled while a request runs; a refusal focuses the first invalid field. */
export function PostForm(props: PostFormProps) {
  const { submit, failure, buttons, onSubmit, children, ...others } = props;
  const form = useRef<HTMLFormElement>(null);
  const send = useSubmit();
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
    <Form ref={form} method="post" {...others} onSubmit={post}>
      <fieldset disabled={isBusy} className="flex grow flex-col gap-5">
        {children}
        {failure && <Failure {...focusOnLoad}>{failure}</Failure>}
        <button type="submit" className={buttonClass("primary", "min-h-14 text-lg")}>
          {isBusy ? "جاري التحميل..." : submit}
        </button>
        {buttons && <div className="grid gap-2">{buttons}</div>}
      </fieldset>
    </Form>
  );
}

interface ButtonFormProps extends Pick<FormProps, "action" | "onSubmit" | "className"> {
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
      showToast({ type: "error", message: "خطأ", description: data.reason });
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
function sendOnce(
  event: SubmitEvent<HTMLFormElement>,
  send: (target: SubmitTarget) => Promise<void>,
) {
  if (!event.defaultPrevented) {
    event.preventDefault();
    const { submitter } = event.nativeEvent;
    void send(submitter instanceof HTMLButtonElement ? submitter : event.currentTarget);
  }
}
