import { useState } from "react";

/** Keeps an action's result, which the router drops on a revalidation. */
export function useLastActionData<Answer>(answer: Answer | undefined): Answer | undefined {
  const [last, setLast] = useState(answer);
  if (answer !== undefined && answer !== last) {
    setLast(answer);
  }
  return last;
}
