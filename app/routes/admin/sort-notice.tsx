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
        className={`sticky top-2 z-1 flex flex-wrap items-center justify-between gap-x-4 gap-y-1 rounded-xl border px-4 py-1.5 font-semibold ${
          failure ? "border-danger bg-danger-tint text-danger" : "border-field bg-tint"
        }`}
      >
        <span className="py-1">{failure ?? notice?.text}</span>
        {!failure && notice?.canUndo && (
          <SortButton name="undo" value={notice.token}>
            تراجع
          </SortButton>
        )}
      </div>
    )
  );
}

const focusIt = (element: HTMLElement | null) => element?.focus({ preventScroll: true });
