import { RealtimeClient } from "@supabase/realtime-js";
import { href } from "react-router";
import type { InboxMessage } from "../../models/inbox.ts";

interface Access {
  url: string;
  key: string;
  token: string | undefined;
  expiresAt: number | undefined;
}

export interface LiveEvents {
  onMessage(message: InboxMessage): void;
  /** Events may have been missed before this moment: the list must be read again. */
  onGap(): void;
}

// Before the end of a token's life, in seconds; server and browser clocks may differ a little.
const renewBefore = 60;
const rejoinDelay = 3000;

/**
 * Listens for new messages until the returned function is called. The socket reconnects by
 * itself; a channel that the server closed (its token ran out while the machine slept) is
 * opened anew, which the client never does on its own.
 */
export function openLiveChannel({ onMessage, onGap }: LiveEvents): () => void {
  let client: RealtimeClient | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let closed = false;

  void open();
  return () => {
    closed = true;
    clearTimeout(timer);
    void client?.disconnect();
  };

  async function open() {
    try {
      const access = await readAccess();
      if (closed) return;
      if (access) await subscribe(access);
      // Signed out elsewhere: the loaders' guard leads to the sign-in page.
      else onGap();
    } catch {
      reopenLater();
    }
  }

  function reopenLater() {
    if (closed) return;
    void client?.disconnect();
    clearTimeout(timer);
    timer = setTimeout(() => void open(), rejoinDelay);
  }

  async function subscribe(first: Access) {
    const url = new URL("/realtime/v1", first.url || location.href);
    client = new RealtimeClient(url.href.replace(/^http/, "ws"), {
      params: { apikey: first.key },
      accessToken: tokenSource(first),
    });
    // The join carries the token only if it is known before: without it every row is hidden.
    await client.setAuth();
    client
      .channel("contact_messages_changes")
      .on<InboxMessage>(
        "postgres_changes",
        { event: "INSERT", schema: "public", table: "contact_messages" },
        (change) => onMessage(change.new),
      )
      // A hosted server says "subscribed" seconds before changes flow, and this once they do.
      .on("system", {}, ({ status }: { status: string }) => status === "ok" && onGap())
      .subscribe((status) => {
        if (status === "SUBSCRIBED") onGap();
        if (status === "CLOSED") reopenLater();
      });
  }
}

/** Undefined when there is no session any more. */
async function readAccess(): Promise<Access | undefined> {
  // Not followed: the page that says why the session ended is for the visitor to see.
  const response = await fetch(href("/admin/live"), { redirect: "manual" });
  if (response.type === "opaqueredirect") return undefined;
  if (!response.ok) throw new Error(`The inbox got no token: status ${response.status}`);
  return response.json();
}

/** Gives the client its token at every join and heartbeat, a fresh one before the old one ends. */
function tokenSource(access: Access): () => Promise<string | null> {
  let current = access;
  return async () => {
    const isFresh = (current.expiresAt ?? 0) - renewBefore > Date.now() / 1000;
    if (!isFresh) current = (await readAccess()) ?? current;
    return current.token ?? null;
  };
}
