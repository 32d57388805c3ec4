/** Whether a request asks for a page, as browsers do (its Accept header). Scripts ask for data. */
export const acceptsPage = (accept: string | null | undefined): boolean =>
  accept?.includes("text/html") ?? false;
