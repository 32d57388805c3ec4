import { useState } from "react";
import { useLocation } from "react-router";

/** The router drops an action's answer when it reads the list again; this keeps it for the page. */
export function useResult<Answer>(answer: Answer | undefined): Answer | undefined {
  const { key } = useLocation();
  const [last, setLast] = useState({ key, answer });
  if (answer !== undefined && answer !== last.answer) {
    setLast({ key, answer });
  }
  return answer ?? (last.key === key ? last.answer : undefined);
}
