import type { ReactNode, SubmitEvent } from "react";
import { useSend } from "./use-send.ts";

interface Props {
  fields: Record<"action" | "one" | "next", string>;
  /** The URL that the form is posted to. */
  url: string;
  children: ReactNode;
}

/** A form of one button, for one message. `next` is what opens afterwards. */
export function ActionForm({ fields, url, children }: Props) {
  const sendOnce = useSend();
  function send(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    sendOnce(event.currentTarget);
  }
  return (
    <form method="post" action={url} onSubmit={send} className="contents">
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {children}
    </form>
  );
}
