import { sessionChannel } from "#app/hooks/use-session-sync.ts";

/**
 * Does what useSessionSync does before the framework's scripts start: when another tab signs in,
 * /auth goes to the inbox. It does not reload(), which would post a refused form again.
 */
export const sessionScript = `new BroadcastChannel("${sessionChannel}").onmessage=e=>{e.data&&location.pathname=="/auth"&&location.replace(location.pathname+location.search)}`;
