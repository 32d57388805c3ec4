import { focusOnLoad } from "#app/components/form-parts.tsx";
import type { BoardNotice } from "./board-view.server.ts";
import { SortButton } from "./sort-form.tsx";

interface Props {
  notice: BoardNotice | undefined;
  /** Why the last action was refused. */
  failure?: string | undefined;
}

/** The result of the last action. Takes the focus, because the pressed button may be gone. */
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

function focusIt(element: HTMLElement | null) {
  element?.focus({ preventScroll: true });
  element?.scrollIntoView({ block: "nearest" });
}
