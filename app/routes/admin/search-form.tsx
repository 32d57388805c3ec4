import { type KeyboardEvent, type MouseEvent, useRef } from "react";
import { Form, href, Link, useNavigate, useNavigation } from "react-router";
import { Icon } from "#app/components/icons.tsx";
import { useOnEnd } from "#app/hooks/use-busy.ts";
import type { Scope } from "#app/models/inbox-forms.server.ts";
import type { BoardMessage } from "#app/models/inbox.ts";
import type { BoardSearch } from "./board-data.server.ts";
import { boardLink } from "./board-url.ts";
import { fieldClass, linkClass, quietClass } from "./class-names.ts";
import { icons } from "./icons.ts";
import { More } from "./more.tsx";
import type { Selection } from "./use-selection.ts";

interface Props {
  box: Scope;
  /** The query of the list; `pageQuery` adds the page. */
  list: string;
  pageQuery: string;
  search: BoardSearch | undefined;
  messages: readonly BoardMessage[];
  /** Undefined for an inbox that is not the reader's. */
  selection: Selection | undefined;
}

const formClass =
  "flex flex-wrap items-center gap-x-2 px-3 pt-1 pb-2 lg:sticky lg:top-(--head) lg:z-2 lg:bg-sunk lg:py-3 lg:bare:bg-surface print:hidden";

const lineClass = `${linkClass} inline-flex min-h-11 items-center`;

/** Searches the current box or all boxes. Next to it are the actions on the whole list. */
export function SearchForm({ box, list, pageQuery, search, messages, selection }: Props) {
  const element = useRef<HTMLFormElement>(null);
  const navigate = useNavigate();
  const isOn = search !== undefined;
  // Not in the first render: something may be typed before scripts run.
  useOnEnd(isOn, () => element.current?.reset());
  const isByKey = useRef(false);
  useOnEnd(useNavigation().state === "loading", () => {
    // Not on a phone, whose keyboard has such a key.
    if (isByKey.current && matchMedia("(hover: hover)").matches) {
      document.getElementById("list")?.focus();
    }
    isByKey.current = false;
  });
  function press({ key, currentTarget }: KeyboardEvent<HTMLInputElement>) {
    isByKey.current = key === "Enter";
    if (key === "Escape" && isOn) {
      void navigate(end);
    } else if (key === "Escape" && currentTarget.value === "") {
      document.getElementById("list")?.focus();
    }
  }
  // The focus would be lost with the link. Not after a tap: it would open the on-screen keyboard.
  const keepFocus = ({ detail }: MouseEvent) =>
    detail === 0 && element.current?.querySelector("input")?.focus();
  const end = boardLink("", { box: box === "all" || box === "any" ? undefined : box });
  return (
    <Form ref={element} action={href("/admin")} role="search" className={formClass}>
      <span className="relative flex-1">
        <input
          type="search"
          name="q"
          aria-label="كلمات البحث"
          placeholder="ابحث في الرسائل"
          maxLength={100}
          enterKeyHint="search"
          defaultValue={search?.typed}
          onKeyDown={press}
          className={`${fieldClass} appearance-none pe-11 [&::-webkit-search-cancel-button]:hidden`}
          {...(search?.error && {
            "aria-invalid": true,
            "aria-describedby": "q-error",
            autoFocus: true,
          })}
        />
        <button
          type="submit"
          className="absolute inset-y-0 end-0 grid w-11 cursor-pointer place-items-center rounded-xl text-muted hover:text-brand"
        >
          <Icon path={icons.search} />
          <span className="sr-only">بحث</span>
        </button>
      </span>
      {box !== "all" && <input type="hidden" name="box" value={box} />}
      {selection && (
        <Link
          to={boardLink(pageQuery, { select: selection.isOn ? undefined : "1" })}
          onClick={selection.clear}
          preventScrollReset
          className={quietClass}
        >
          {selection.isOn ? "إلغاء التحديد" : "تحديد"}
        </Link>
      )}
      {messages.length > 0 && !selection?.isOn && (
        <More key={list} {...{ box, list }} isSearch={isOn} canEmpty={selection !== undefined} />
      )}
      <div className="flex basis-full flex-wrap items-center gap-x-2 text-sm text-muted sm:gap-x-4 lg:has-[a]:-mb-3">
        <div role="status">{search?.summary}</div>
        {search?.error && (
          <p id="q-error" role="alert" className="basis-full text-danger">
            {search.error}
          </p>
        )}
        {isOn && (
          <>
            {box !== "any" && !search.error && search.inAll !== "" && (
              <Link to={boardLink("", { q: search.typed, box: "any" })} className={lineClass}>
                {`كل الصناديق${search.inAll ? ` (${search.inAll})` : ""}`}
              </Link>
            )}
            <Link to={end} onClick={keepFocus} className={lineClass}>
              إنهاء البحث
            </Link>
          </>
        )}
      </div>
    </Form>
  );
}
