import { href } from "react-router";

/** The parameters that do not change the list. A change of these needs no request. */
const viewParameters = ["open", "select", "done"];

/** The query of the list of a board's address: its box, its search and its page. */
export function listOf(search: string): string {
  const params = new URLSearchParams(search);
  for (const name of viewParameters) {
    params.delete(name);
  }
  return `${params}`;
}

/**
 * The board's address with these parameters changed; `undefined` removes one. Always without `done`:
 * a notice stays until the next move.
 */
export function boardLink(search: string, change: Record<string, string | undefined> = {}) {
  const params = new URLSearchParams(search);
  for (const [name, value] of Object.entries({ ...change, done: undefined })) {
    if (value === undefined) {
      params.delete(name);
    } else {
      params.set(name, value);
    }
  }
  const query = `${params}`;
  return { pathname: href("/admin"), search: query && `?${query}` };
}

/** Whether two addresses differ, but not in their list. A reload of the same address is no such change. */
export const keepsList = (current: URL, next: URL): boolean =>
  current.pathname === next.pathname &&
  current.search !== next.search &&
  listOf(current.search) === listOf(next.search);
