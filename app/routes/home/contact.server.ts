import { owner } from "#app/content/owner.ts";

export type Contact = ReturnType<typeof contactOf>;

/** The owner's content without hidden entries. `address`: the site's, for the printed page. */
export function contactOf(address: string) {
  const { name, title, description, phone, projectMessage } = owner;
  return {
    name,
    title,
    description,
    chat: `https://wa.me/${phone}?text=${encodeURIComponent(projectMessage)}`,
    channels: shown(owner.channels),
    works: shown(owner.works),
    services: shown(owner.services),
    address,
  };
}

const shown = <Entry extends { hidden?: boolean | undefined }>(entries: Entry[]) =>
  entries.filter(({ hidden }) => !hidden);
