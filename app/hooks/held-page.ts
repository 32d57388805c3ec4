import { useEffect } from "react";

/** Why the site no longer serves a page that is open. */
export type SessionEnd = "ended" | "code" | "account";

export const sessionEndTexts: Record<SessionEnd, string> = {
  ended: "انتهت جلستك.",
  code: "ينتظر دخولك رمز التحقق.",
  account: "دخلت بحساب آخر.",
};

/** Whether an answer has such a reason: the page of a proxy has none. */
export const isSessionEnd = (reason: unknown): reason is SessionEnd =>
  typeof reason === "string" && Object.hasOwn(sessionEndTexts, reason);

interface Hold {
  /** The account whose text would be lost. */
  account?: string;
}

// One list for each tab.
const holds = new Set<Hold>();

/** Keeps this page from leaving for the sign-in by itself. Returns the function that ends that. */
export function holdPage(hold: Hold = {}): () => void {
  holds.add(hold);
  return () => void holds.delete(hold);
}

export const isHeld = (): boolean => holds.size > 0;

/** Whether the page holds a text of another account than the one that is signed in now. */
export const holdsOther = (now: string): boolean =>
  [...holds].some(({ account = now }) => account !== now);

// Longer than a browser takes from a press to `beforeunload`.
const pressMs = 1000;

/** Holds the page while a text of `account` is not saved, and has the browser ask before it is lost. */
export function useUnsaved(isUnsaved: boolean, account: string): void {
  useEffect(() => {
    if (!isUnsaved) {
      return;
    }
    const letGo = holdPage({ account });
    const listening = new AbortController();
    // A link to another program leaves the page open, but some browsers ask all the same.
    let pressedAt = -pressMs;
    const press = ({ target }: Event) => {
      const link = target instanceof Element && target.closest<HTMLAnchorElement>("a[href]");
      pressedAt = link && !link.protocol.startsWith("http") ? performance.now() : -pressMs;
    };
    const ask = (event: BeforeUnloadEvent) => {
      if (performance.now() - pressedAt > pressMs) {
        event.preventDefault();
      }
    };
    addEventListener("click", press, { capture: true, signal: listening.signal });
    addEventListener("beforeunload", ask, listening);
    return () => {
      letGo();
      listening.abort();
    };
  }, [isUnsaved, account]);
}
