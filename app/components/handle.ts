/** What a route says of its pages, as its `handle` (https://reactrouter.com/how-to/using-handle). */
export interface Handle {
  /** Whether its pages have scripts. All other pages are only HTML. */
  scripts?: true;
  /** Whether search engines find the page, by the sitemap. */
  isPublic?: true;
}

/** Whether the page of these routes has scripts. Error pages never have any. */
export const hasScripts = (handles: unknown[], error: unknown): boolean =>
  !error && handles.some((handle) => (handle as Handle | undefined)?.scripts);
