import { sessionChannel } from "#app/hooks/use-session-sync.ts";

/** Does useSessionSync's work before React starts. reload() would repeat a refused form's POST. */
export const sessionScript = `try{new BroadcastChannel("${sessionChannel}").onmessage=e=>{e.data&&location.pathname=="/auth"&&location.replace(location.pathname+location.search)}}catch{}`;
