import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { noteStamp } from "#app/models/inbox-work.server.ts";
import { type Api, openApi } from "./api.ts";
import { deleteMessages, readMessages, storeMessages } from "./messages.ts";
import { type RunningSite, startSite } from "./site.ts";
import { type Answer, signedUp, type Visitor } from "./visitor.ts";

/** Starts a site with an owner for the file. Deletes all messages before each test. */
export function useOwnedInbox() {
  const inbox = {} as { site: RunningSite; api: Api; owner: Visitor };
  beforeAll(async () => {
    inbox.site = await startSite();
    inbox.api = await openApi(inbox.site);
    const owner = await signedUp(inbox.site);
    await inbox.api.claim(owner.session().access_token);
    inbox.owner = owner;
  }, 60_000);
  afterAll(() => inbox.site?.stop());
  beforeEach(() => deleteMessages(inbox.site.dataDir));

  /** Stores `count` distinct messages. Returns their ids. */
  async function store(count: number, state: object = {}): Promise<string[]> {
    const messages = Array.from({ length: count }, (_, index) => ({
      name: `زائر ${index}`,
      email: "a@example.com",
      message: `رسالة ${index} ${randomUUID()}`,
      ...state,
    }));
    return (await storeMessages(inbox.site.dataDir, messages)).map(({ id }) => id);
  }

  /** Returns the URL that an action redirects to. */
  const next = ({ headers }: Answer) => new URL(headers.location ?? "", inbox.site.url);

  return {
    inbox,
    store,
    async storeOne(state: object = {}): Promise<string> {
      const [id = ""] = await store(1, state);
      return id;
    },
    async noteOf(id: string): Promise<string | null> {
      const messages = await readMessages(inbox.site.dataDir);
      return messages.find((message) => message.id === id)?.note ?? null;
    },
    /** Saves a note like a page that shows `seen`. */
    save: (
      id: string,
      note: string,
      seen: string | null = null,
      path = "/admin",
      by = inbox.owner,
    ) => by.post(path, { id, note, stamp: noteStamp(seen) }),
    undo: (done: string, by = inbox.owner) => by.post("/admin", { undo: done }),
    next,
    /** Returns the parameter that undoes an action. */
    doneOf: (answer: Answer) => next(answer).searchParams.get("done") ?? "",
  };
}

/** Returns the last alert. The first one is the offline alert, which only scripts show. */
export const alertOf = ({ text }: Answer) =>
  Array.from(text.matchAll(/role="alert"[^>]*>(?:<[^>]*>)*([^<]*)/g)).at(-1)?.[1];
