import type { ComponentProps, SubmitEvent } from "react";
import { Form, href, useSubmit } from "react-router";
import { buttonClass } from "#app/components/button.ts";
import { useBusy } from "#app/hooks/use-busy.ts";
import { useHydrated } from "#app/hooks/use-hydrated.ts";
import type { Box, SortAction } from "#app/models/inbox-limits.ts";
import { boardPath } from "./box-nav.tsx";

// The checkboxes and the buttons of all cards belong to one form.
const form = "sort";

export const actionLabels: Record<SortAction, string> = {
  answer: "أجبتُه",
  unanswer: "لم أجبه",
  archive: "أرشفة",
  unarchive: "إخراج من الأرشيف",
  spam: "مزعجة",
  unspam: "ليست مزعجة",
  trash: "حذف",
  restore: "استعادة",
};

const boxActions: Record<Box, SortAction[]> = {
  all: ["answer", "unanswer", "archive", "spam", "trash"],
  waiting: ["answer", "archive", "spam", "trash"],
  archived: ["unarchive", "trash"],
  spam: ["unspam", "trash"],
  trash: ["restore"],
};

export const smallButton = buttonClass("quiet", "small");

type ButtonProps = Pick<ComponentProps<"button">, "name" | "value" | "children">;

export const SortButton = (props: ButtonProps) => (
  <button type="submit" form={form} className={smallButton} {...props} />
);

type CheckboxProps = Pick<ComponentProps<"input">, "value" | "aria-label" | "defaultChecked">;

export const SortCheckbox = (props: CheckboxProps) => (
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
);

/** What can be done with the chosen messages. CSS counts them, and shows it with the first. */
export function SortBar({ box, here }: { box: Box; here: string }) {
  const send = useSubmit();
  const isBusy = useBusy();
  const isHydrated = useHydrated();
  async function post(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const { submitter } = event.nativeEvent;
    const { currentTarget } = event;
    if (isBusy || !(submitter instanceof HTMLButtonElement)) {
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
      className="sort-bar"
    >
      {isHydrated && (
        <button type="button" onClick={chooseAll} className={smallButton}>
          اختيار الكل
        </button>
      )}
      {boxActions[box].map((action) => (
        <SortButton key={action} name="action" value={action}>
          {actionLabels[action]}
        </SortButton>
      ))}
    </Form>
  );
}

function chooseAll() {
  for (const box of document.querySelectorAll<HTMLInputElement>("[name=ids]")) {
    box.checked = true;
  }
}

/** Enter in a checkbox would press the form's first button, which is this one. */
export const NoButton = () => (
  <button type="submit" form={form} disabled hidden aria-label="بلا إجراء" />
);
