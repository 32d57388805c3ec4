import { useSyncExternalStore } from "react";

// A cookie, because a sign-out clears the storage.
const off = "keys=off";
const oneYear = 365 * 24 * 60 * 60;
const changed = "keys-changed";

/** Whether this browser's reader uses the board by single keys: until he turns them off. */
export const keysAreOn = (): boolean => !document.cookie.split("; ").includes(off);

function setKeys(isOn: boolean): void {
  document.cookie = `${off}; Path=/; SameSite=Lax; Max-Age=${isOn ? 0 : oneYear}`;
  dispatchEvent(new Event(changed));
}

function subscribe(listener: () => void) {
  addEventListener(changed, listener);
  return () => removeEventListener(changed, listener);
}

/** The setting, and what changes it for all pages of this browser. */
export function useKeysSetting(): [isOn: boolean, setKeys: (isOn: boolean) => void] {
  return [useSyncExternalStore(subscribe, keysAreOn, () => true), setKeys];
}
