import { type SubmitEvent, useEffect, useRef } from "react";
import { focusOnLoad } from "#app/components/focus-on-load.ts";
import { SignInLink } from "#app/components/sign-in-link.tsx";
import { useHydrated } from "#app/hooks/use-hydrated.ts";
import { arabicNumber } from "#app/lib/arabic-number.ts";
import type { Scope } from "#app/models/inbox-forms.server.ts";
import { wholeActions } from "#app/models/inbox-limits.ts";
import type { BoardResult } from "./board-view.server.ts";
import { actionLabels, boxActions } from "./message-texts.ts";
import type { Selection } from "./use-selection.ts";
import { useSend } from "./use-send.ts";

interface Props {
  box: Scope;
  /** What the last action did. */
  result: BoardResult | undefined;
  /** Why the last action was refused. */
  failure: string | undefined;
  /** Whether it was refused because the session has ended. */
  needsSignIn: boolean;
  /** Undefined for an inbox that is not the reader's. */
  selection: Selection | undefined;
  /** The whole box, if this page shows only a part of it. */
  whole: { count: number; until: string } | undefined;
  /** The URL that the forms are posted to. */
  action: string;
}

const barClass =
  "pointer-events-auto min-h-13 items-center gap-x-1 rounded-2xl px-3 py-1 text-md/normal shadow-[0_0.5rem_1.5rem_var(--shade)] forced-colors:border";
const darkClass = "bg-bar text-on-bar [&_:focus-visible]:outline-undo";
const buttonClass =
  "min-h-11 min-w-11 cursor-pointer rounded-xl px-2 whitespace-nowrap hover:bg-on-bar/12 focus-visible:-outline-offset-3";

/**
 * The notice and the bar of the selection. They lie over the end of the list, always in the same place. In the
 * document they come before the list, so that Tab reaches the bar before fifty rows.
 */
export function Dock(props: Props) {
  const { box, result, failure, needsSignIn, selection, whole, action } = props;
  return (
    <div className="dock pointer-events-none fixed start-(--rail) bottom-(--below) z-4 grid w-[min(var(--list),100%)] gap-2 px-2 pb-2 sm:max-lg:inset-x-0 sm:max-lg:mx-auto sm:max-lg:max-w-176 low:static low:w-full print:hidden">
      {selection && <InertDefaultButton />}
      {(failure ?? result) && (
        <Notice key={failure ?? result?.token} {...{ result, failure, needsSignIn }} />
      )}
      {selection && <SortForm {...{ box, selection, whole, action }} token={result?.token} />}
    </div>
  );
}

/**
 * Enter in the box of a row presses the form's first button, which is this one. It does nothing, because its
 * method is `dialog` and there is no dialog. It is outside of the form, because Safari ignores a button that is
 * not rendered.
 */
const InertDefaultButton = () => (
  <button
    type="submit"
    form="sort"
    formMethod="dialog"
    tabIndex={-1}
    aria-hidden="true"
    className="sr-only"
  />
);

/** The answer of the last action. It is announced; a refusal takes the focus. */
function Notice({
  result,
  failure,
  needsSignIn,
}: Pick<Props, "result" | "failure" | "needsSignIn">) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The pressed button may be gone, and the focus with it.
    if (failure !== undefined || document.activeElement === document.body) {
      element.current?.focus();
    }
  }, [failure]);
  const isFailed = failure !== undefined;
  return (
    <div
      id="notice"
      ref={element}
      role={isFailed ? "alert" : "status"}
      {...(isFailed ? focusOnLoad : { tabIndex: -1 })}
      className={`flex ${barClass} ${isFailed ? "border bg-danger-tint text-danger" : darkClass}`}
    >
      <span className="flex-1 py-2">
        {failure ?? result?.text} {needsSignIn && <SignInLink />}
      </span>
      {!isFailed && result?.undo && (
        <button
          type="submit"
          form="sort"
          name="undo"
          value={result.undo}
          className={`${buttonClass} font-bold text-undo`}
        >
          تراجع
        </button>
      )}
    </div>
  );
}

interface FormProps extends Pick<Props, "box" | "whole" | "action"> {
  selection: Selection;
  /** The token of the last action's result. */
  token: string | undefined;
}

/**
 * The form of the actions on the selected messages, which is shown while there are some. The notice's button
 * belongs to it too.
 */
function SortForm({ box, whole, action, selection, token }: FormProps) {
  const isHydrated = useHydrated();
  const send = useSend();
  const { ids, clear } = selection;
  const pressed = useRef<string>(undefined);
  useEffect(() => {
    if (token !== undefined && pressed.current === "action") {
      clear();
    }
    pressed.current = undefined;
  }, [token, clear]);
  function post(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const { submitter } = event.nativeEvent;
    if (submitter instanceof HTMLButtonElement && submitter.name !== "") {
      pressed.current = submitter.name;
      void send(submitter);
    }
  }
  return (
    <form
      id="sort"
      method="post"
      action={action}
      onSubmit={post}
      aria-label="إجراءات الرسائل المحددة"
      className={`picked hidden flex-wrap justify-between overflow-x-auto has-[#whole:checked]:[&_[data-few]]:hidden px-2! selecting:flex ${barClass} ${darkClass}`}
    >
      <output className="sr-only">{ids.size > 0 && `المحددة: ${arabicNumber(ids.size)}`}</output>
      {boxActions[box].map((one) => (
        <button
          key={one}
          type="submit"
          name="action"
          value={one}
          data-few={wholeActions.some((known) => known === one) ? undefined : ""}
          className={buttonClass}
        >
          {actionLabels[one]}
        </button>
      ))}
      {isHydrated && (
        <button type="button" onClick={selection.all} className={buttonClass}>
          الكل
        </button>
      )}
      {whole && (
        // The box is a new element after each action, so that nothing is done to the whole box twice by mistake.
        <label key={token} className={`${buttonClass} flex basis-full items-center gap-2`}>
          <input id="whole" type="checkbox" name="until" value={whole.until} autoComplete="off" />
          كل الصندوق ({arabicNumber(whole.count)})
        </label>
      )}
    </form>
  );
}
