const kept = 10_000;

const sessions = new Set<string>();

/** For some seconds, in which other tabs may still send the old cookie and need no notice. */
export function noteSignOut(sessionId: string): void {
  sessions.add(sessionId);
  setTimeout(() => sessions.delete(sessionId), kept).unref();
}

/** Whether `noteSignOut` was called for the session within the last seconds. */
export function wasSignedOut(sessionId: string): boolean {
  return sessions.has(sessionId);
}
