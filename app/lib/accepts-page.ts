/** Whether a request asks for a page, as browsers do (its Accept header). Scripts ask for data. */
export const acceptsPage = (accept: string | null | undefined): boolean =>
  accept?.includes("text/html") ?? false;

/**
 * Whether a browser fetches a page ahead of time, which its user may never see.
 * @param header reads a header by its lower-case name
 */
export const isFetchedAhead = (header: (name: string) => unknown): boolean =>
  ["sec-purpose", "purpose"].some((name) => typeof header(name) === "string");
