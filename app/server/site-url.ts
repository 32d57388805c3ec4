import { networkInterfaces } from "node:os";
import { isLoopback } from "./address-settings.ts";
import type { Env } from "./settings.ts";

/** The site's address: SITE_URL, or where it listens, as a phone in the same network reaches it. */
export function siteUrlOf({ SITE_URL, HOST, PORT }: Pick<Env, "SITE_URL" | "HOST" | "PORT">): URL {
  return new URL(SITE_URL ?? `http://${hostOf(HOST)}:${PORT}`);
}

function hostOf(listening: string): string {
  const host = listening.includes(":") ? `[${listening}]` : listening;
  if (isLoopback(host)) {
    return "localhost";
  }
  return host === "0.0.0.0" || host === "[::]" ? (addressInNetwork() ?? "localhost") : host;
}

const addressInNetwork = () =>
  Object.values(networkInterfaces())
    .flat()
    .find((each) => each?.family === "IPv4" && !each.internal)?.address;
