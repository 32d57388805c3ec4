import { focusOnLoad } from "#app/components/form-parts.tsx";
import type { BoardResult } from "./board-view.server.ts";
import { SortButton } from "./sort-form.tsx";

interface Props {
  result: BoardResult | undefined;
  /** Why the last action was refused. */
  failure?: string | undefined;
}

/** The answer of the last action. Takes the focus, because the pressed button may be gone. */
export function ResultLine({ result, failure }: Props) {
  const said = failure ?? result?.token;
  return (
    said && (
      <div
        key={said}
        ref={focusIt}
        role={failure ? "alert" : "status"}
        {...focusOnLoad}
        className={`result-line sticky top-2 z-1 flex flex-wrap items-center justify-between gap-x-4 gap-y-1 rounded-xl border px-4 py-1.5 font-bold [li>&]:mb-2 ${failure ? "border-danger bg-danger-tint text-danger" : "border-field bg-tint"}`}
      >
        <span className="py-1">{failure ?? result?.text}</span>
        {!failure && result?.undo && (
          <SortButton name="undo" value={result.undo}>
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
