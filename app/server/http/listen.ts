import { once } from "node:events";
import type { Server } from "node:http";
import { StartError } from "#app/lib/start-error.ts";

/** Listens. @throws {StartError} that names `settings`, if the port or address cannot be used */
export async function listen(
  server: Server,
  { port, host }: { port: number; host: string },
  settings: string,
): Promise<void> {
  server.listen(port, host);
  try {
    await once(server, "listening");
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "EADDRINUSE") {
      const name = settings.split(" ").at(-1);
      throw new StartError(`Port ${port} is taken: stop what uses it, or set ${name} to another.`);
    }
    throw new StartError(`Cannot listen on ${host}:${port} (${message}): set ${settings}.`);
  }
}
