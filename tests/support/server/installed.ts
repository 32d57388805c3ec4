import { setTimeout as sleep } from "node:timers/promises";
import { newAddress } from "#tests/support/address.ts";
import { ask } from "#tests/support/visitor.ts";
import { type Server, shellBlocks } from "./server.ts";

const deploy = ".github/DEPLOY.md";

/** A block of DEPLOY with the test's port for 3000. */
export const onPort = (block: string, url: string) =>
  block.replaceAll("localhost:3000", new URL(url).host);

/** Sets a server up as DEPLOY says, and starts the site at a port, with content that is newer than its build. Resolves to what that block printed. */
export async function install(server: Server, url: string): Promise<string> {
  // The second makes a key for the host of a repository.
  const [user, , clone, settings, unit] = await shellBlocks(deploy, "## A server with systemd");
  for (const block of [user, clone, settings]) {
    await server.run(block ?? "");
  }
  await server.run(`echo PORT=${new URL(url).port} >> /srv/tawasul/site/.env
    su - tawasul -c 'touch site/app/content/owner.ts'`);
  return server.run(onPort(unit ?? "", url));
}

/** backup and sql, each as DEPLOY writes it. */
export async function commands(): Promise<string[]> {
  const blocks = await shellBlocks(deploy, "## A server with systemd");
  return blocks.at(-1)?.trim().split("\n") ?? [];
}

/** Reads the messages as lines of JSON, the oldest first. */
export async function storedMessages(server: Server): Promise<string[]> {
  const [, sql = ""] = await commands();
  const printed = await server.run(
    sql,
    "select message from contact_messages order by created_at;",
  );
  return printed.split("\n").filter((line) => line.startsWith("{"));
}

/** The status of /healthz, 0 while nothing listens. */
export const healthy = (url: string): Promise<number> =>
  fetch(`${url}/healthz`).then(
    ({ status }) => status,
    () => 0,
  );

/** Sends a message as the proxy would. Resolves to the status, 0 while nothing listens. */
async function sendMessage(url: string, message: string): Promise<number> {
  const form = { name: "عميل", email: "client@example.com", message, t_extra: "" };
  const headers = {
    Origin: "https://your.site",
    "Content-Type": "application/x-www-form-urlencoded",
    "X-Forwarded-For": newAddress(),
  };
  const body = new URLSearchParams(form).toString();
  return ask({ url }, "POST", "/", { headers, body }).then(
    ({ status }) => status,
    () => 0,
  );
}

let sent = 0;

/** Sends a message every half second until the signal, each of its own. Resolves to the statuses. */
export async function keepSending(url: string, signal: AbortSignal): Promise<number[]> {
  const statuses: number[] = [];
  while (!signal.aborted) {
    statuses.push(await sendMessage(url, `أثناء التحديث ${(sent += 1)}`));
    await sleep(500);
  }
  return statuses;
}
