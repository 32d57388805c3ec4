import type { ComponentProps, SubmitEvent } from "react";
import { Form, href, useSubmit } from "react-router";
import { useBusy } from "#app/hooks/use-busy.ts";
import { useHydrated } from "#app/hooks/use-hydrated.ts";
import type { MessageAction } from "#app/models/inbox.ts";
import { boardPath } from "./box-nav.tsx";

const form = "sort";

type ButtonProps = Pick<ComponentProps<"button">, "name" | "value" | "children">;

export const SortButton = (props: ButtonProps) => (
  <button type="submit" form={form} className="small" {...props} />
);

type CheckboxProps = Pick<ComponentProps<"input">, "value" | "aria-label" | "defaultChecked">;

/** With a skip link for keyboards to the actions, shown on focus. */
export const SortCheckbox = (props: CheckboxProps) => (
  <>
    <label>
      <input
        type="checkbox"
        form={form}
        name="ids"
        autoComplete="off"
        className="size-5 accent-brand"
        {...props}
      />
    </label>
    <a href="#sort" className="sr-only focus:not-sr-only">
      إلى إجراءات المختارة
    </a>
  </>
);

/** The actions on the selected messages. CSS counts them, and shows the bar when one is selected. */
export function SortBar({ bulk, here }: { bulk: MessageAction[]; here: string }) {
  const send = useSubmit();
  const isBusy = useBusy();
  const isHydrated = useHydrated();
  async function post(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const { submitter } = event.nativeEvent;
    const { currentTarget } = event;
    if (isBusy || !(submitter instanceof HTMLButtonElement) || !submitter.name) {
      return;
    }
    await send(submitter, { flushSync: true, replace: true, preventScrollReset: true });
    if (submitter.name === "action" && location.search.includes("done=")) {
      currentTarget.reset();
    }
  }
  return (
    <Form
      id={form}
      method="post"
      action={href("/admin") + boardPath(here).search}
      onSubmit={(event) => void post(event)}
      aria-label="إجراءات الرسائل المختارة"
      className="sort-bar"
    >
      {isHydrated && (
        <button type="button" onClick={chooseAll} className="small">
          اختيار الكل
        </button>
      )}
      {bulk.map(([action, label]) => (
        <SortButton key={action} name="action" value={action}>
          {label}
        </SortButton>
      ))}
    </Form>
  );
}

function chooseAll() {
  const boxes = Array.from(document.querySelectorAll<HTMLInputElement>("[name=ids]"));
  const isAny = boxes.some(({ checked }) => !checked);
  boxes.forEach((box) => (box.checked = isAny));
}

/** The form's default button, for Enter in a checkbox. `dialog` outside a dialog does nothing. */
export const InertDefaultButton = () => (
  <button
    type="submit"
    form={form}
    formMethod="dialog"
    tabIndex={-1}
    aria-hidden="true"
    className="sr-only"
  >
    بلا إجراء
  </button>
);
