/** A route's `handle`. */
export interface Handle {
  /** Whether its pages have scripts. All others are HTML alone. */
  scripts?: true;
  /** Whether search engines find the page, by the sitemap. */
  isPublic?: true;
}

/** Whether the page of these routes has scripts. No page of an error has. */
export const hasScripts = (handles: unknown[], error: unknown): boolean =>
  !error && handles.some((handle) => (handle as Handle | undefined)?.scripts);
