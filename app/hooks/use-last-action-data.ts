import { useState } from "react";

/**
 * The last answer of a page's action. The router drops answers whenever it reads the page's
 * data again, as another tab can make it do; some can never be had again.
 */
export function useKept<Answer>(answer: Answer | undefined): Answer | undefined {
  const [kept, setKept] = useState(answer);
  if (answer !== undefined && answer !== kept) {
    setKept(answer);
  }
  return kept;
}
