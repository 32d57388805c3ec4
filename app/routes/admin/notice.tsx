import { useEffect, useRef } from "react";
import { focusOnLoad } from "#app/components/form-parts.tsx";
import type { BoardResult } from "./board-view.server.ts";

interface Props {
  result: BoardResult | undefined;
  /** Why the last action was refused. */
  failure: string | undefined;
  /** Whether it takes the focus when the page loads: nothing else says what was done. */
  takesFocus: boolean;
}

/** The answer of the last action, always in the same place. It stays until the next move. */
export function Notice({ result, failure, takesFocus }: Props) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (failure) {
      element.current?.focus({ preventScroll: true });
    }
  }, [failure]);
  if (!failure && !result) {
    return null;
  }
  return (
    <div
      id="notice"
      ref={element}
      role={failure ? "alert" : "status"}
      tabIndex={-1}
      {...(takesFocus && focusOnLoad)}
      className={failure ? "bar notice failed" : "bar notice"}
    >
      <span>{failure ?? result?.text}</span>
      {!failure && result?.undo && (
        <button type="submit" form="sort" name="undo" value={result.undo}>
          تراجع
        </button>
      )}
    </div>
  );
}
