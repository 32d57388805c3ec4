import { useState } from "react";
import { useLocation } from "react-router";

/** Keeps an action's result until the next navigation: the router drops it on a revalidation. */
export function useResult<Answer>(answer: Answer | undefined): Answer | undefined {
  const { key } = useLocation();
  const [last, setLast] = useState({ key, answer });
  if (answer !== undefined && answer !== last.answer) {
    setLast({ key, answer });
  }
  return answer ?? (last.key === key ? last.answer : undefined);
}
