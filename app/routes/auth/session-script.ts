import { sessionChannel } from "#app/hooks/use-session-sync.ts";

/**
 * What useSessionSync does, for /auth before any framework script: a session that appears leads
 * to the inbox. Not by reload(), which would send a refused form again.
 */
export const sessionScript = `new BroadcastChannel("${sessionChannel}").onmessage=e=>{e.data&&location.pathname=="/auth"&&location.replace(location.pathname+location.search)}`;
