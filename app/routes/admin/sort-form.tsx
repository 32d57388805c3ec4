import { type SubmitEvent, useEffect, useRef } from "react";
import { useHydrated } from "#app/hooks/use-hydrated.ts";
import { arabicNumber } from "#app/lib/arabic-number.ts";
import { wholeBoxActions } from "#app/models/boxes.ts";
import type { Scope } from "#app/models/inbox-forms.server.ts";
import { actionLabels, boxActions } from "./message-texts.ts";
import type { Selection } from "./use-selection.ts";
import { useSend } from "./use-send.ts";

export const barClass =
  "pointer-events-auto mb-2 min-h-13 items-center gap-x-1 rounded-2xl px-3 py-1 text-md/normal shadow-[0_0.5rem_1.5rem_var(--shade)] forced-colors:border";
export const darkClass = "bg-bar text-on-bar [&_:focus-visible]:outline-undo";
export const buttonClass =
  "min-h-11 min-w-11 cursor-pointer rounded-xl px-2 whitespace-nowrap max-[22rem]:px-1 hover:bg-on-bar/12 focus-visible:-outline-offset-3";

interface Props {
  box: Scope;
  selection: Selection;
  /** The whole box, if this page shows only a part of it. */
  whole: { count: number; until: string } | undefined;
  /** The URL that the form is posted to. */
  action: string;
  /** The `?done=` of the last action. */
  done: string | undefined;
}

/**
 * The form of the actions on the selected messages, which is shown while there are some. The notice's button
 * belongs to it too.
 */
export function SortForm({ box, whole, action, selection, done }: Props) {
  const isHydrated = useHydrated();
  const send = useSend();
  const { ids, clear } = selection;
  const pressed = useRef<string>(undefined);
  useEffect(() => {
    if (done !== undefined && pressed.current === "action") {
      clear();
    }
    pressed.current = undefined;
  }, [done, clear]);
  function post(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const { submitter } = event.nativeEvent;
    if (submitter instanceof HTMLButtonElement && submitter.name !== "") {
      pressed.current = submitter.name;
      void send(submitter);
    }
  }
  const { size } = ids;
  return (
    <div className="relative">
      {/*
       * It is outside of the form, which is hidden until the first message is selected. Without `aria-atomic`, Orca
       * speaks only the part that has changed.
       */}
      <output
        form="sort"
        aria-atomic="true"
        className="absolute start-3 top-3 z-1 grid h-7 min-w-7 place-items-center rounded-2xl bg-undo px-1.5 text-md/none font-bold text-on-saffron empty:sr-only"
      >
        {size > 0 && (
          <>
            <span className="sr-only">المحددة: </span>
            {arabicNumber(size)}
          </>
        )}
      </output>
      <form
        id="sort"
        method="post"
        action={action}
        onSubmit={post}
        aria-label="إجراءات الرسائل المحددة"
        className={`hidden flex-wrap justify-between overflow-x-auto has-[#whole:checked]:[&_[data-few]]:hidden px-2! selecting:flex ${size > 0 ? "ps-13!" : ""} ${barClass} ${darkClass}`}
      >
        {boxActions[box].map((one) => (
          <button
            key={one}
            type="submit"
            name="action"
            value={one}
            data-few={wholeBoxActions.some((known) => known === one) ? undefined : ""}
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
        {whole && (selection.isAll || !isHydrated) && (
          // The checkbox is a new element after each action, so it is unchecked again.
          <label key={done} className={`${buttonClass} flex basis-full items-center gap-2`}>
            <input id="whole" type="checkbox" name="until" value={whole.until} autoComplete="off" />
            كل الصندوق ({arabicNumber(whole.count)})
          </label>
        )}
      </form>
    </div>
  );
}
