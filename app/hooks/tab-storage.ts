/** Does `work` with what the browser keeps for a tab until its end, or nothing where it is blocked. */
function withStorage<Result>(work: (storage: Storage) => Result): Result | undefined {
  try {
    return work(sessionStorage);
  } catch {
    return undefined;
  }
}

/** Texts by name that survive a change of page, until the tab or the session ends. */
export const tabStorage = {
  get: (name: string): string | undefined =>
    withStorage((storage) => storage.getItem(name)) ?? undefined,
  set: (name: string, text: string): void => withStorage((storage) => storage.setItem(name, text)),
  remove: (name: string): void => withStorage((storage) => storage.removeItem(name)),
};
