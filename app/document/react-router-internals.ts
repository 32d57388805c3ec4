/** What the browser relies on and React Router does not document (decision 029). */

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
