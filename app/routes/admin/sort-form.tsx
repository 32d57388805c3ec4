import { type ComponentProps, type SubmitEvent, useEffect, useState } from "react";
import { Form, href, useSubmit } from "react-router";
import { useBusy, useOnEnd } from "#app/hooks/use-busy.ts";
import { useHydrated } from "#app/hooks/use-hydrated.ts";
import { arabicNumber } from "#app/lib/arabic-number.ts";
import type { Scope } from "#app/models/inbox-forms.server.ts";
import { boardPath } from "./box-nav.tsx";
import { actionLabels, boxActions } from "./message-texts.ts";

const form = "sort";

type ButtonProps = Pick<ComponentProps<"button">, "name" | "value" | "children">;

export const SortButton = (props: ButtonProps) => (
  <button type="submit" form={form} className="small data-waits:opacity-60" {...props} />
);

type CheckboxProps = Pick<ComponentProps<"input">, "value" | "aria-label" | "defaultChecked">;

/** With a skip link for keyboards to the actions, shown on focus. */
export const SortCheckbox = (props: CheckboxProps) => (
  <>
    <label className="peer absolute start-0 top-0 px-3 py-2.5 leading-[0]">
      <input
        type="checkbox"
        form={form}
        name="ids"
        autoComplete="off"
        className="size-5 accent-brand"
        {...props}
      />
    </label>
    <a
      href="#sort"
      className="sr-only basis-[calc(100%-6rem)] text-sm text-brand underline underline-offset-4 not-peer-has-checked:hidden focus:not-sr-only lg:order-1 lg:basis-full"
    >
      إلى إجراءات المختارة
    </a>
  </>
);

/** The actions on the selected messages. CSS shows the bar when one is selected. */
export function SortBar({ box, here }: { box: Scope; here: string }) {
  const send = useSubmit();
  const isBusy = useBusy();
  const isHydrated = useHydrated();
  const chosen = useChosen();
  useOnEnd(isBusy, () => document.querySelector<HTMLElement>("[data-waits]")?.click());
  async function post(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const submitter = event.nativeEvent.submitter as HTMLButtonElement | null;
    if (!submitter?.name) {
      return;
    }
    // A card's button waits for the request before it. If that was its own, its card leaves with it.
    submitter.toggleAttribute("data-waits", isBusy && submitter.name === "one");
    if (isBusy) {
      return;
    }
    await send(submitter, { flushSync: true, replace: true, preventScrollReset: true });
    if (submitter.name === "action" && location.search.includes("done=")) {
      choose(false);
    }
  }
  return (
    <>
      <output className="sr-only">
        {chosen > 0 && `الرسائل المختارة: ${arabicNumber(chosen)}`}
      </output>
      <Form
        id={form}
        method="post"
        action={href("/admin") + boardPath(here).search}
        onSubmit={(event) => void post(event)}
        aria-label="إجراءات الرسائل المختارة"
        className="sort-bar sticky bottom-2 z-1 flex flex-wrap items-center gap-1.5 rounded-2xl border border-field bg-surface px-3 py-2"
      >
        <p aria-hidden="true" className="me-auto font-bold">
          {chosen > 0 && `اخترت ${arabicNumber(chosen)}`}
        </p>
        {isHydrated && (
          <button type="button" onClick={chooseAll} className="small">
            اختيار الكل
          </button>
        )}
        {boxActions[box].map((action) => (
          <SortButton key={action} name="action" value={action}>
            {actionLabels[action]}
          </SortButton>
        ))}
      </Form>
    </>
  );
}

const boxes = () => [...document.querySelectorAll<HTMLInputElement>("[name=ids]")];

/** How many messages are chosen, also after some left the page. */
function useChosen(): number {
  const [chosen, setChosen] = useState(0);
  useEffect(() => {
    const count = () => setChosen(boxes().filter(({ checked }) => checked).length);
    count();
    document.addEventListener("change", count);
    return () => document.removeEventListener("change", count);
  });
  return chosen;
}

const chooseAll = () => choose(boxes().some(({ checked }) => !checked));

const choose = (isChosen: boolean) =>
  boxes().forEach((box) => box.checked === isChosen || box.click());

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
