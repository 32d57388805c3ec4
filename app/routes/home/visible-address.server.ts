import type { ChannelKind } from "#app/content/schema.ts";
import { decoded } from "#app/lib/decoded.ts";
import { readableAddress } from "#app/lib/readable-address.server.ts";
import { shownPhone } from "#app/models/phone.server.ts";

// Services on which people know each other by a name, which is the last part of the address.
const withNames: ReadonlySet<ChannelKind> = new Set([
  "telegram",
  "x",
  "snapchat",
  "tiktok",
  "instagram",
  "youtube",
  "threads",
]);

/** What a visitor reads of a channel's link, and can type elsewhere: a number, an address, a name. */
export function visibleAddress(kind: ChannelKind, link: string): string {
  const { protocol, host, pathname, searchParams } = new URL(link);
  const path = decoded(pathname).replace(/\/$/, "");
  if (protocol === "mailto:") {
    return path;
  }
  if (protocol === "tel:") {
    return path.startsWith("+") ? shownPhone(path.replaceAll(/\D/g, "")) : path;
  }
  const number = searchParams.get("phone") ?? path.slice(1);
  if (kind === "whatsapp" && /^\d+$/.test(number)) {
    return shownPhone(number);
  }
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (withNames.has(kind) && /^@?[\w.-]+$/.test(name)) {
    return `@${name.replace("@", "")}`;
  }
  // Its addresses say what the name is of: in/name, company/name.
  if (kind === "linkedin" && path.includes("/", 1)) {
    return path.slice(1);
  }
  return readableAddress(`${protocol}//${host}`).replace(/^.*?\/\/(www\.)?/, "") + path;
}
