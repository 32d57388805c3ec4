import { type SubmitEvent, useEffect, useRef } from "react";
import { useNavigation, useSubmit } from "react-router";
import { useBusy, useOnEnd } from "#app/hooks/use-busy.ts";
import { select } from "./sort-bar.tsx";

const options = { flushSync: true, replace: true, preventScrollReset: true } as const;

/**
 * Sends the forms of the list, one at a time: a button of a message that is pressed meanwhile waits,
 * and leaves with its message. After an action on one message the next one is open and has the focus.
 * `open`: the message that the URL names. `token`: of the last action's result.
 */
export function useSend(open: string | undefined, token: string | undefined) {
  const submit = useSubmit();
  const isBusy = useBusy();
  const { formData } = useNavigation();
  const pressed = useRef<string>(undefined);
  useOnEnd(isBusy, () => document.querySelector<HTMLElement>("[data-waits]")?.click());

  async function send(event: SubmitEvent) {
    event.preventDefault();
    const submitter = event.nativeEvent.submitter as HTMLButtonElement | null;
    if (!submitter || submitter.formMethod === "dialog") {
      return;
    }
    submitter.toggleAttribute("data-waits", isBusy && submitter.name !== "action");
    if (!isBusy) {
      pressed.current = submitter.name;
      await submit(submitter, options);
    }
  }

  useEffect(() => {
    const name = pressed.current;
    pressed.current = undefined;
    if (token === undefined) {
      return;
    }
    if (name === "action") {
      select(false);
    }
    const isOpened = name === "one" && openMessage(open);
    if (!isOpened && (name === "one" || name === "action")) {
      document.querySelector<HTMLElement>("#notice")?.focus();
    }
  }, [open, token]);

  const sending = formData?.get("note") === undefined ? undefined : formData?.get("id");
  return { onSubmit: (event: SubmitEvent) => void send(event), sending };
}

/** Opens the message with this id and focuses its row. Returns whether the list has it. */
export function openMessage(id: string | undefined): boolean {
  const row = id === undefined ? null : document.getElementById(`message-${id}`);
  const details = row?.querySelector("details");
  if (!details) {
    return false;
  }
  // The browser closes the other one: all have the same name.
  details.open = true;
  details.querySelector("summary")?.focus();
  return true;
}
