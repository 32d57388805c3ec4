import { randomUUID } from "node:crypto";
import { beforeEach } from "vitest";
import { deleteMessages, readMessages, storeMessages } from "#tests/support/messages.ts";
import { useClaimedSite } from "#tests/support/use-site.ts";
import type { Answer } from "#tests/support/visitor.ts";

/** Gives the file a site with an owner. Deletes all messages before each test. */
export function useOwnedInbox() {
  const { site, owner, sql } = useClaimedSite();
  beforeEach(() => deleteMessages(site.dataDir));

  /** Stores `count` distinct messages. Returns their ids. */
  async function store(count: number, state: object = {}): Promise<string[]> {
    const messages = Array.from({ length: count }, (_, index) => ({
      name: `زائر ${index}`,
      email: "a@example.com",
      message: `رسالة ${index} ${randomUUID()}`,
      ...state,
    }));
    return (await storeMessages(site.dataDir, messages)).map(({ id }) => id);
  }

  /** Returns the URL that an action redirects to. */
  const next = ({ headers }: Answer) => new URL(headers.location ?? "", site.url);

  return {
    site,
    owner,
    sql,
    store,
    async storeOne(state: object = {}): Promise<string> {
      const [id = ""] = await store(1, state);
      return id;
    },
    async noteOf(id: string): Promise<string | null> {
      const messages = await readMessages(site.dataDir);
      return messages.find((message) => message.id === id)?.note ?? null;
    },
    /** Saves a note like a page where the message is open. */
    save: (id: string, note: string, path = "/admin?") =>
      owner.post(`${path}&open=${id}`, { id, note }),
    undo: (done: string) => owner.post("/admin", { undo: done }),
    next,
    /** Returns the parameter that undoes an action. */
    doneOf: (answer: Answer) => next(answer).searchParams.get("done") ?? "",
  };
}

/** Returns the last alert. The first one is the offline alert, which only scripts show. */
export const alertOf = ({ text }: Answer) =>
  Array.from(text.matchAll(/role="alert"[^>]*>(?:<[^>]*>)*([^<]*)/g)).at(-1)?.[1];
