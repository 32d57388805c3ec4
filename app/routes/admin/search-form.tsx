import { type MouseEvent, useRef } from "react";
import { Form, href, Link } from "react-router";
import { useOnEnd } from "#app/hooks/use-busy.ts";
import type { Scope } from "#app/models/inbox-forms.server.ts";
import type { BoardSearch } from "./board-list.server.ts";
import { boardPath } from "./box-nav.tsx";

interface Props {
  box: Scope;
  search: BoardSearch | undefined;
}

/** Searches the current box or all boxes. */
export function SearchForm({ box, search }: Props) {
  const element = useRef<HTMLFormElement>(null);
  const isOn = search !== undefined;
  // Not in the first render: something may be typed before scripts run.
  useOnEnd(isOn, () => element.current?.reset());
  // The focus would be lost with the link. Not after a tap: it would open the on-screen keyboard.
  const keepFocus = ({ detail }: MouseEvent) =>
    detail === 0 && element.current?.querySelector("input")?.focus();
  const here = box === "all" || box === "any" ? "" : `box=${box}`;
  return (
    <Form
      ref={element}
      action={href("/admin")}
      role="search"
      className="group/search flex flex-wrap items-center gap-x-3 gap-y-1.5 text-sm/[1.75]"
    >
      <input
        type="search"
        name="q"
        aria-label="كلمات البحث"
        placeholder="ابحث في الرسائل"
        maxLength={100}
        enterKeyHint="search"
        className="min-h-10 max-w-lg flex-auto basis-48 rounded-xl border border-field bg-surface px-3 py-1 text-base aria-invalid:border-danger"
        defaultValue={search?.typed}
        {...(search?.error && {
          "aria-invalid": true,
          "aria-describedby": "q-error",
          autoFocus: true,
        })}
      />
      {here && <input type="hidden" name="box" value={box} />}
      <button type="submit" className="small">
        بحث
      </button>
      {/* Hidden on a phone until something is typed: what the focus changed would move the buttons. */}
      <label className="flex min-h-10 items-center gap-1.5 max-sm:basis-full max-sm:group-[:has(:placeholder-shown):not(:has(a))]/search:hidden">
        <input type="checkbox" name="box" value="any" defaultChecked={box === "any"} />
        في كل الصناديق
      </label>
      <p role="status" className="font-bold not-empty:flex-1">
        {search?.summary}
      </p>
      {search?.error && (
        <p id="q-error" role="alert" className="flex-1 font-bold text-danger">
          {search.error}
        </p>
      )}
      {isOn && (
        <Link to={boardPath(here)} onClick={keepFocus} className="small">
          إنهاء البحث
        </Link>
      )}
    </Form>
  );
}
