import { useState } from "react";

/**
 * The last answer of a page's action, or a part of it. The router drops answers when it reads the
 * page's data again, as another tab can make it do; some cannot be made again.
 */
export function useLastActionData<Answer>(answer: Answer | undefined): Answer | undefined {
  const [last, setLast] = useState(answer);
  if (answer !== undefined && answer !== last) {
    setLast(answer);
  }
  return last;
}
