const kept = 10_000;

const sessions = new Set<string>();

/** Remembers a sign-out for 10 s, while other tabs may send the old cookie: they are not told that the session ended. */
export function rememberSignOut(sessionId: string): void {
  sessions.add(sessionId);
  setTimeout(() => sessions.delete(sessionId), kept).unref();
}

export function wasSignedOut(sessionId: string): boolean {
  return sessions.has(sessionId);
}
