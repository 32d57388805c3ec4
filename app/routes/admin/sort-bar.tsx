import { type ComponentProps, type SubmitEventHandler, useEffect, useState } from "react";
import { useHydrated } from "#app/hooks/use-hydrated.ts";
import { arabicNumber } from "#app/lib/arabic-number.ts";
import type { Scope } from "#app/models/inbox-forms.server.ts";
import { actionLabels, boxActions } from "./message-texts.ts";

type CheckboxProps = Pick<ComponentProps<"input">, "value" | "aria-label" | "defaultChecked">;

/** Selects a message. With a skip link for keyboards to the actions, shown on focus. */
export const SelectBox = (props: CheckboxProps) => (
  <>
    <label className="select-box">
      <input type="checkbox" form="sort" name="ids" autoComplete="off" {...props} />
    </label>
    <a href="#sort" className="to-bar">
      إلى إجراءات المحددة
    </a>
  </>
);

interface Props {
  box: Scope;
  action: string;
  onSubmit: SubmitEventHandler<HTMLFormElement>;
}

/**
 * The form of all buttons on messages, and the bar of those for the selected ones. CSS shows the bar
 * when one is selected, and counts them.
 */
export function SortBar({ box, action, onSubmit }: Props) {
  const isHydrated = useHydrated();
  const selected = useSelected();
  return (
    <>
      <output className="sr-only">{selected > 0 && `المحددة: ${arabicNumber(selected)}`}</output>
      <form
        id="sort"
        method="post"
        action={action}
        onSubmit={onSubmit}
        aria-label="إجراءات الرسائل المحددة"
        className="bar sort-bar"
      >
        {boxActions[box].map((one) => (
          <button key={one} type="submit" name="action" value={one}>
            {actionLabels[one]}
          </button>
        ))}
        {isHydrated && (
          <button type="button" onClick={selectAll}>
            تحديد الكل
          </button>
        )}
      </form>
    </>
  );
}

const selectBoxes = () => [...document.querySelectorAll<HTMLInputElement>("[name=ids]")];

/** How many messages are selected, also after some left the page. */
function useSelected(): number {
  const [selected, setSelected] = useState(0);
  useEffect(() => {
    const count = () => setSelected(selectBoxes().filter(({ checked }) => checked).length);
    count();
    document.addEventListener("change", count);
    return () => document.removeEventListener("change", count);
  });
  return selected;
}

const selectAll = () => select(selectBoxes().some(({ checked }) => !checked));

/** Selects all messages of the list, or none. */
export function select(isSelected: boolean): void {
  for (const box of selectBoxes()) {
    box.checked = isSelected;
  }
  document.dispatchEvent(new Event("change"));
}

/** The form's default button, for Enter in a checkbox. `dialog` outside a dialog does nothing. */
export const InertDefaultButton = () => (
  <button
    type="submit"
    form="sort"
    formMethod="dialog"
    tabIndex={-1}
    aria-hidden="true"
    className="sr-only"
  >
    بلا إجراء
  </button>
);
