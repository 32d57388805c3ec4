const kept = 10_000;

const sessions = new Set<string>();

/**
 * Remembers for some seconds that a visitor signed out of this session. The other tabs of
 * that browser may still ask with the old cookie, and must not hear that it expired.
 */
export function noteSignOut(sessionId: string): void {
  sessions.add(sessionId);
  setTimeout(() => sessions.delete(sessionId), kept).unref();
}

/** Whether a visitor signed out of this session within the last seconds, on this server. */
export function wasSignedOut(sessionId: string): boolean {
  return sessions.has(sessionId);
}
