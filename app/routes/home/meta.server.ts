import type { MetaDescriptor } from "react-router";
import { owner } from "#app/content/owner.ts";
import { cardFile, type PictureFile } from "#app/content/pictures.server.ts";
import type { Owner } from "#app/content/schema.ts";
import { linkedChannels } from "#app/content/shown.ts";
import type { Site } from "#app/site-contract.server.ts";

/** Returns what search engines, and the previews of shared links, read of the page. */
export function metaOf(site: Pick<Site, "url" | "pictures">): MetaDescriptor[] {
  const { url, pictures } = site;
  const address = url.href;
  const card = pictures.get(cardFile);
  const { name, title, description } = owner;
  const pageTitle = `${name} · ${title}`;
  return [
    { title: pageTitle },
    { name: "description", content: description },
    { tagName: "link", rel: "canonical", href: address },
    { property: "og:type", content: "profile" },
    { property: "og:url", content: address },
    { property: "og:title", content: pageTitle },
    { property: "og:description", content: description },
    { property: "og:locale", content: "ar_AR" },
    ...(card ? previewOf(card, url) : []),
    { "script:ld+json": profileOf(site) },
  ];
}

/** The picture of a preview, with its true size: WhatsApp, Telegram and X do not wait to measure it. */
function previewOf({ src, width, height, type }: PictureFile, url: URL): MetaDescriptor[] {
  return [
    { property: "og:image", content: new URL(src, url).href },
    { property: "og:image:type", content: type },
    { property: "og:image:width", content: String(width) },
    { property: "og:image:height", content: String(height) },
    { property: "og:image:alt", content: owner.name },
    { name: "twitter:card", content: "summary_large_image" },
  ];
}

/**
 * A page about a person, as schema.org and Google want it:
 * https://developers.google.com/search/docs/appearance/structured-data/profile-page. The default
 * icon is nobody's picture, and a place on a map is no profile.
 */
export function profileOf(
  { url, pictures }: Pick<Site, "url" | "pictures">,
  { name, title, description, photo, channels }: Owner = owner,
) {
  const picture = photo && pictures.get(photo);
  const profiles = linkedChannels(channels).filter(
    ({ icon, link }) => link.startsWith("http") && icon !== "map",
  );
  return {
    "@context": "https://schema.org",
    "@type": "ProfilePage",
    url: url.href,
    mainEntity: {
      "@type": "Person",
      name,
      jobTitle: title,
      description,
      ...(picture && { image: new URL(picture.src, url).href }),
      url: url.href,
      sameAs: profiles.map(({ link }) => link),
      knowsLanguage: "ar",
    },
  };
}
