/** What the browser relies on and React Router does not document (decision 029). */
import { isRouteErrorResponse } from "react-router";

/**
 * Makes fetch answer with whole bodies. React Router's decoder takes the first line of a broken one
 * for all of it, and leaves the error unhandled.
 */
export function fetchWhole(): void {
  const { fetch } = window;
  window.fetch = async (...args) => {
    const answer = await fetch(...args);
    await answer.clone().arrayBuffer();
    return answer;
  };
}

/** The error of an action that failed, and its status; 0 if the site did not answer. */
export function actionFailure(result: unknown): { error: unknown; status: number } {
  // An error that the site answered with is the data of data(error, status).
  const isWrapped = result instanceof Object && "data" in result && "init" in result;
  const error = isWrapped ? result.data : result;
  if (isRouteErrorResponse(error)) {
    return { error, status: error.status };
  }
  const init = isWrapped ? (result.init as ResponseInit | null) : null;
  return { error, status: init?.status ?? 0 };
}
