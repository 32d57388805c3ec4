import { type MouseEvent, useRef } from "react";
import { Form, href, Link } from "react-router";
import { useOnEnd } from "#app/hooks/use-busy.ts";
import type { Scope } from "#app/models/inbox-forms.server.ts";
import type { BoardSearch } from "./board-list.server.ts";
import { boardPath } from "./box-nav.tsx";

interface Props {
  box: Scope;
  search: BoardSearch | undefined;
  canSelect: boolean;
}

/** Searches the current box or all boxes. */
export function SearchForm({ box, search, canSelect }: Props) {
  const element = useRef<HTMLFormElement>(null);
  const isOn = search !== undefined;
  // Not in the first render: something may be typed before scripts run.
  useOnEnd(isOn, () => element.current?.reset());
  // The focus would be lost with the link. Not after a tap: it would open the on-screen keyboard.
  const keepFocus = ({ detail }: MouseEvent) =>
    detail === 0 && element.current?.querySelector("input")?.focus();
  const here = box === "all" || box === "any" ? "" : `box=${box}`;
  return (
    <Form ref={element} action={href("/admin")} role="search" className="search">
      <span className="search-field">
        <input
          type="search"
          name="q"
          aria-label="كلمات البحث"
          placeholder="ابحث في الرسائل"
          maxLength={100}
          enterKeyHint="search"
          defaultValue={search?.typed}
          {...(search?.error && {
            "aria-invalid": true,
            "aria-describedby": "q-error",
            autoFocus: true,
          })}
        />
        <button type="submit" className="icon i-search">
          <span className="sr-only">بحث</span>
        </button>
      </span>
      {here && <input type="hidden" name="box" value={box} />}
      {canSelect && (
        <label className="select-mode">
          <input type="checkbox" form="sort" autoComplete="off" />
          تحديد
        </label>
      )}
      {/* Hidden until something is typed: what the focus changed would move the list. */}
      <label className="any-box">
        <input type="checkbox" name="box" value="any" defaultChecked={box === "any"} />
        في كل الصناديق
      </label>
      <p role="status" className="found">
        {search?.summary}
      </p>
      {search?.error && (
        <p id="q-error" role="alert" className="wrong">
          {search.error}
        </p>
      )}
      {isOn && (
        <Link to={boardPath(here)} onClick={keepFocus}>
          إنهاء البحث
        </Link>
      )}
    </Form>
  );
}
