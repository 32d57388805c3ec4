import type { MetaDescriptor } from "react-router";
import type { Contact } from "./contact.server.ts";

/** Returns the data of the page for search engines and for the previews of shared links. */
export function metaOf(contact: Contact): MetaDescriptor[] {
  const { name, title, description, address, card } = contact;
  const pageTitle = `${name} · ${title}`;
  return [
    { title: pageTitle },
    { name: "description", content: description },
    { tagName: "link", rel: "canonical", href: absolute("/", address) },
    { property: "og:type", content: "profile" },
    { property: "og:url", content: absolute("/", address) },
    { property: "og:title", content: pageTitle },
    { property: "og:description", content: description },
    { property: "og:locale", content: "ar_AR" },
    ...(card ? previewOf(card, contact) : []),
    { "script:ld+json": profileOf(contact) },
  ];
}

/** The picture of a preview, with its true size: WhatsApp, Telegram and X do not wait to measure it. */
function previewOf(
  { src, width, height, type }: NonNullable<Contact["card"]>,
  { name, address }: Contact,
): MetaDescriptor[] {
  return [
    { property: "og:image", content: absolute(src, address) },
    { property: "og:image:type", content: type },
    { property: "og:image:width", content: String(width) },
    { property: "og:image:height", content: String(height) },
    { property: "og:image:alt", content: name },
    { name: "twitter:card", content: "summary_large_image" },
  ];
}

/**
 * A page about a person, as schema.org and Google want it:
 * https://developers.google.com/search/docs/appearance/structured-data/profile-page. The default
 * icon is nobody's picture, and a place on a map is no profile.
 */
export function profileOf({ name, title, description, photo, channels, address }: Contact) {
  const profiles = channels.flatMap(({ icon, link }) =>
    link?.startsWith("http") && icon !== "map" ? [link] : [],
  );
  return {
    "@context": "https://schema.org",
    "@type": "ProfilePage",
    url: absolute("/", address),
    mainEntity: {
      "@type": "Person",
      name,
      jobTitle: title,
      description,
      ...(photo && { image: absolute(photo.src, address) }),
      url: absolute("/", address),
      sameAs: profiles,
      knowsLanguage: "ar",
    },
  };
}

const absolute = (path: string, address: string): string => new URL(path, address).href;
