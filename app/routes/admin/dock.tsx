import { type ReactNode, useEffect, useRef } from "react";
import { focusOnLoad } from "#app/components/focus-on-load.ts";
import { SignInLink } from "#app/components/sign-in-link.tsx";
import type { Scope } from "#app/models/inbox-forms.server.ts";
import type { BoardResult } from "./done.ts";
import { barClass, buttonClass, darkClass, SortForm } from "./sort-form.tsx";
import type { Selection } from "./use-selection.ts";

interface Props {
  box: Scope;
  /** What the last action did. */
  result: BoardResult | undefined;
  /** Why the last action was refused. */
  failure: string | undefined;
  /** Whether it was refused because the session has ended. */
  needsSignIn: boolean;
  /** Whether the list has no message and nothing is open. */
  isLast: boolean;
  /** Undefined for an inbox that is not the reader's. */
  selection: Selection | undefined;
  /** The whole box, if this page shows only a part of it. */
  whole: { count: number; until: string } | undefined;
  /** The URL that the forms are posted to. */
  action: string;
}

/**
 * The notice and the bar of the selection. They lie over the end of the list, always in the same place. In the
 * document they come before the list, so that Tab reaches the bar before fifty rows.
 */
export function Dock(props: Props) {
  const { box, result, failure, needsSignIn, isLast, selection, whole, action } = props;
  return (
    <div className="dock pointer-events-none fixed start-(--rail) bottom-(--below) z-4 grid w-[min(var(--list),100%)] px-2 sm:max-lg:inset-x-0 sm:max-lg:mx-auto sm:max-lg:max-w-176 low:static low:w-full print:hidden">
      {selection && <InertDefaultButton />}
      {/* Always there: a status that comes with its text is silent. */}
      <div role="status" className="empty:sr-only">
        {failure === undefined && result && (
          <Notice key={result.done} isLast={isLast}>
            <span className="flex-1 py-2">{result.text}</span>
            {result.undo && <UndoButton value={result.undo} />}
          </Notice>
        )}
      </div>
      {failure !== undefined && (
        <Notice key={failure} isFailure>
          <span className="flex-1">
            {failure} {needsSignIn && <SignInLink />}
          </span>
        </Notice>
      )}
      {selection && <SortForm {...{ box, selection, whole, action }} done={result?.done} />}
    </div>
  );
}

/**
 * Enter in the box of a row presses the form's first button, which is this one. It does nothing, because its
 * method is `dialog` and there is no dialog. It is outside of the form, because Safari ignores a button that is
 * not rendered.
 */
const InertDefaultButton = () => (
  <button
    type="submit"
    form="sort"
    formMethod="dialog"
    tabIndex={-1}
    aria-hidden="true"
    className="sr-only"
  />
);

interface NoticeProps {
  isFailure?: boolean;
  /** Whether no message is left that could have the focus. */
  isLast?: boolean;
  children: ReactNode;
}

/** The answer of the last action. It is announced; a refusal takes the focus. */
function Notice({ isFailure = false, isLast = false, children }: NoticeProps) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The pressed button may be gone, and the focus with it.
    if (isFailure || document.activeElement === document.body) {
      element.current?.focus();
    }
  }, [isFailure]);
  return (
    <div
      id="notice"
      ref={element}
      role={isFailure ? "alert" : undefined}
      {...(isFailure || isLast ? focusOnLoad : { tabIndex: -1 })}
      className={`flex -outline-offset-3 ${barClass} ${isFailure ? "h-20 overflow-y-auto border bg-danger-tint text-danger low:h-auto" : `outline-undo ${darkClass}`}`}
    >
      {children}
    </div>
  );
}

const UndoButton = ({ value }: { value: string }) => (
  <button
    type="submit"
    form="sort"
    name="undo"
    value={value}
    className={`${buttonClass} font-bold text-undo`}
  >
    تراجع
  </button>
);
