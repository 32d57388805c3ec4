import type { Owner } from "./schema.ts";

/** The entries that the page shows. */
export const shown = <Entry extends { hidden?: boolean | undefined }>(entries: Entry[]) =>
  entries.filter(({ hidden }) => !hidden);

/** The shown channels that have a link: the others are coming soon. */
export const linkedChannels = (channels: Owner["channels"]) =>
  shown(channels).flatMap(({ link, ...channel }) => (link === null ? [] : { ...channel, link }));
