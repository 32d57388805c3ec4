import { useState } from "react";
import { useLocation } from "react-router";
import { isOffline, type OfflineResult } from "#app/hooks/keep-form.ts";
import type { BoardAnswer } from "./board-view.server.ts";

/** Keeps an action's answer until the next navigation: the router drops it on a revalidation. */
export function useAnswer<Answer>(answer: Answer | undefined): Answer | undefined {
  const { key } = useLocation();
  const [last, setLast] = useState({ key, answer });
  if (answer !== undefined && answer !== last.answer) {
    setLast({ key, answer });
  }
  return answer ?? (last.key === key ? last.answer : undefined);
}

/** Why an action was refused; undefined for a note of the open message, whose form says it. */
export function failureOf(
  answer: BoardAnswer | OfflineResult | undefined,
  open: string | undefined,
): string | undefined {
  if (answer?.values?.["id"] !== undefined && answer.values["id"] === open) {
    return undefined;
  }
  return isOffline(answer)
    ? answer.reason
    : (answer?.failure ?? answer?.errors.note ?? answer?.errors.id);
}
