import { owner } from "#app/content/owner.ts";
import { cardFile, type Picture } from "#app/content/pictures.server.ts";
import { shown } from "#app/content/shown.ts";
import { readableAddress } from "#app/lib/readable-address.server.ts";
import { awayText } from "#app/models/absences.server.ts";
import { dayText, fileDate } from "#app/models/date.server.ts";
import type { Site } from "#app/site-contract.server.ts";
import { qrCode } from "./qr.server.ts";
import { visibleAddress } from "./visible-address.server.ts";

// Encoding takes half a millisecond, and a site has only one address.
const codes: Record<string, ReturnType<typeof qrCode>> = {};

export type Contact = ReturnType<typeof contactOf>;

/** The owner's content as the page shows it, without hidden entries. */
export function contactOf({
  url,
  pictures,
  absences,
}: Pick<Site, "url" | "pictures"> & { absences: Pick<Site["absences"], "list"> }) {
  const now = new Date();
  const { name, title, description, intro, answerTime, phone, projectMessage } = owner;
  const picture = (file: string | undefined): Picture | undefined => {
    const found = file === undefined ? undefined : pictures.get(file);
    return found && { src: found.src, width: found.width, height: found.height };
  };
  const card = pictures.get(cardFile);
  const channels = shown(owner.channels).map((channel) => ({
    ...channel,
    address: channel.link === null ? undefined : visibleAddress(channel.icon, channel.link),
  }));
  const works = shown(owner.works).map((work) => ({ ...work, picture: picture(work.picture) }));
  return {
    name,
    title,
    description,
    card: card && { src: card.src, width: card.width, height: card.height, type: card.type },
    intro,
    photo: picture(owner.photo),
    available:
      awayText(absences.list, now.getTime()) ??
      (owner.available && availableText(owner.available, now)),
    answerTime,
    // Browsers encode letters themselves, which takes six times less of the page.
    chat: `https://wa.me/${phone}?text=${projectMessage.replaceAll(/\P{L}/gu, encodeURIComponent)}`,
    channels,
    works,
    /** Whether the page has the switch that shows reasons. */
    explains: works.some(({ why = [] }) => why.length > 0),
    services: shown(owner.services),
    address: url.origin,
    shownAddress: readableAddress(url.origin),
    qr: (codes[url.origin] ??= qrCode(url.origin)),
  };
}

/** When the owner takes new projects. @param day ISO 8601, the first one */
export function availableText(day: string, now: Date): string {
  const since = day > fileDate(now) ? ` من ${dayText(day)}` : "";
  return `متاح لمشاريع جديدة${since}`;
}
