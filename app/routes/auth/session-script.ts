import { sessionChannel } from "#app/hooks/use-session-sync.ts";

/** useSessionSync before the framework starts. reload() would post a refused form again. */
export const sessionScript = `try{new BroadcastChannel("${sessionChannel}").onmessage=e=>{e.data&&location.pathname=="/auth"&&location.replace(location.pathname+location.search)}}catch{}`;
