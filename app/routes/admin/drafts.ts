import { tabStorage } from "#app/hooks/tab-storage.ts";

/** A note as its form showed it, and what was typed over it. */
interface Draft {
  note: string;
  stamp: string;
  text: string;
}

const nameOf = (id: string) => `draft-${id}`;

/**
 * Unsaved notes by the message's id. In the tab's storage, because a session that ends leads to
 * another document; the tab's end and a sign-out clear it.
 */
export const drafts = {
  get(id: string): Draft | undefined {
    const stored = tabStorage.get(nameOf(id));
    return stored === undefined ? undefined : (JSON.parse(stored) as Draft);
  },
  keep: (id: string, draft: Draft): void => tabStorage.set(nameOf(id), JSON.stringify(draft)),
  drop: (id: string): void => tabStorage.remove(nameOf(id)),
};
