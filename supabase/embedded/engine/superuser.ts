import type { Socket } from "node:net";
import postgres, { type Sql } from "postgres";
import { port } from "./socket-folder.ts";

export interface SuperuserAccess {
  /** Folder of the Unix socket; postgres.js accepts it as host. */
  socketDir: string;
  superuserPassword: string;
}

/**
 * @param connection session parameters, such as `role`
 * @param socket an open socket to use instead of a new one
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
    // Documented by postgres.js ("Custom socket"), but missing from its types.
    ...(socket && { socket: () => socket }),
    onnotice: () => undefined,
  });
}
