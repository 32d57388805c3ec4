import { focusOnLoad } from "#app/components/form-parts.tsx";
import type { BoardNotice } from "./board-view.server.ts";
import { SortButton } from "./sort-form.tsx";

interface Props {
  notice: BoardNotice | undefined;
  /** Why the last action did nothing. */
  failure: string | undefined;
}

/** Says what was done, until the next move. The pressed button may be gone: it takes the focus. */
export function SortNotice({ notice, failure }: Props) {
  const said = failure ?? notice?.token;
  return (
    said && (
      <div
        key={said}
        ref={focusIt}
        role={failure ? "alert" : "status"}
        {...focusOnLoad}
        className={`sort-notice ${failure ? "bad" : ""}`}
      >
        <span>{failure ?? notice?.text}</span>
        {!failure && notice?.undo && (
          <SortButton name="undo" value={notice.undo}>
            تراجع
          </SortButton>
        )}
      </div>
    )
  );
}

const focusIt = (element: HTMLElement | null) => element?.focus({ preventScroll: true });
