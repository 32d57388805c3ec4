import { Socket } from "@supabase/phoenix";
import { href } from "react-router";
import type { InboxMessage } from "../../models/inbox.ts";

interface Access {
  url: string;
  key: string;
  token: string | undefined;
  /** Of the token's life. */
  secondsLeft: number;
}

export interface LiveEvents {
  onMessage(message: InboxMessage): void;
  /** Events may have been missed before this moment: the list must be read again. */
  onGap(): void;
  /** Whether messages arrive by themselves from now on. */
  onLive(isLive: boolean): void;
}

// Before the end of a token's life, in seconds.
const renewBefore = 60;
const rejoinDelay = 3000;
const heartbeatInterval = 25_000;

const postgresChanges = [{ event: "INSERT", schema: "public", table: "contact_messages" }];

/**
 * Listens for new messages until the returned function is called. It speaks to Supabase
 * Realtime through the socket inside the official client, whose presence and broadcast around
 * it nobody here uses. The socket reconnects by itself; a channel that the server closed or
 * refused (its token ran out while the machine slept) is opened anew.
 */
export function openLiveChannel({ onMessage, onGap, onLive }: LiveEvents): () => void {
  let socket: Socket | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let closed = false;

  void open();
  return () => {
    closed = true;
    clearTimeout(timer);
    disconnect();
  };

  async function open() {
    try {
      const access = await readAccess();
      if (closed) return;
      if (access) subscribe(access);
      // Signed out elsewhere: the loaders' guard leads to the sign-in page.
      else onGap();
    } catch {
      reopenLater();
    }
  }

  function disconnect() {
    socket?.disconnect();
    socket = undefined;
  }

  function reopenLater() {
    if (closed) return;
    onLive(false);
    disconnect();
    clearTimeout(timer);
    timer = setTimeout(() => void open(), rejoinDelay);
  }

  function subscribe(first: Access) {
    let access = first;
    const url = new URL("/realtime/v1", access.url || location.href);
    const own = new Socket(url.href.replace(/^http/, "ws"), {
      params: { apikey: access.key },
      heartbeatIntervalMs: heartbeatInterval,
    });
    socket = own;
    const channel = own.channel("realtime:contact_messages_changes", () => ({
      config: { postgres_changes: postgresChanges },
      access_token: access.token,
    }));
    channel.on("postgres_changes", (change) => onMessage((change as Change).data.record));
    // Whether changes flow; the join alone does not say it, and is answered seconds before.
    channel.on("system", (state) => {
      const isLive = (state as { status: string }).status === "ok";
      onLive(isLive);
      if (isLive) onGap();
    });
    channel.onClose(reopenLater);
    // Also when the connection is lost; the socket does not report each loss itself.
    channel.onError(() => onLive(false));
    own.connect();
    channel.join().receive("error", reopenLater);
    renewInTime();

    function renewInTime() {
      const seconds = access.secondsLeft - renewBefore;
      clearTimeout(timer);
      timer = setTimeout(() => void renew(), Math.max(seconds * 1000, rejoinDelay));
    }

    async function renew() {
      try {
        const next = await readAccess();
        // Reopened or closed meanwhile: the timer is no longer this channel's.
        if (socket !== own) return;
        if (!next) return void onGap();
        access = next;
        channel.push("access_token", { access_token: access.token });
        renewInTime();
      } catch {
        if (socket === own) reopenLater();
      }
    }
  }
}

interface Change {
  data: { record: InboxMessage };
}

/** Undefined when there is no session any more. */
async function readAccess(): Promise<Access | undefined> {
  // Not followed: the page that says why the session ended is for the visitor to see.
  const response = await fetch(href("/admin/live"), { redirect: "manual" });
  if (response.type === "opaqueredirect") return undefined;
  if (!response.ok) throw new Error(`The inbox got no token: status ${response.status}`);
  return response.json();
}
