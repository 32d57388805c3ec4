import type { Socket } from "node:net";
import postgres, { type Sql } from "postgres";
import { port } from "./socket-folder.ts";

export interface SuperuserAccess {
  /** Folder of the Unix socket, as postgres.js takes it for a host. */
  socketDir: string;
  superuserPassword: string;
}

/**
 * @param connection parameters of the session, such as its `role`
 * @param socket an open one, in place of one of postgres.js
 */
export function connectAsSuperuser(
  { socketDir, superuserPassword }: SuperuserAccess,
  connection: Record<string, string> = {},
  socket?: Socket,
): Sql {
  return postgres({
    host: socketDir,
    port,
    database: "postgres",
    username: "supabase_admin",
    password: superuserPassword,
    max: 1,
    fetch_types: false,
    connection,
    // Not among postgres.js' types, but in its documentation ("Custom socket").
    ...(socket && { socket: () => socket }),
    onnotice: () => undefined,
  });
}
