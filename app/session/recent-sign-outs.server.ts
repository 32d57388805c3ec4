const kept = 10_000;

const sessions = new Set<string>();

/**
 * Remembers for some seconds that a visitor signed out of a session, so that other tabs which still
 * send its cookie do not report an expired session.
 */
export function noteSignOut(sessionId: string): void {
  sessions.add(sessionId);
  setTimeout(() => sessions.delete(sessionId), kept).unref();
}

/** Whether `noteSignOut` was called for the session within the last seconds. */
export function wasSignedOut(sessionId: string): boolean {
  return sessions.has(sessionId);
}
