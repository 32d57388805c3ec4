import { useState } from "react";

/** The router drops answers when it reads the page again, as after a sign-in in another tab. */
export function useLastActionData<Answer>(answer: Answer | undefined): Answer | undefined {
  const [last, setLast] = useState(answer);
  if (answer !== undefined && answer !== last) {
    setLast(answer);
  }
  return last;
}
