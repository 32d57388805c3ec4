import type { MetaDescriptor } from "react-router";
import { owner } from "#app/content/owner.ts";

/**
 * Returns what search engines, and the previews of shared links, read of the page.
 * @param address the site's, such as https://your.site/
 */
export function metaOf(address: string): MetaDescriptor[] {
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
    { "script:ld+json": profileOf(address) },
  ];
}

/** A page about a person: https://developers.google.com/search/docs/appearance/structured-data/profile-page */
function profileOf(address: string) {
  const { name, title, description, channels } = owner;
  const links = channels.flatMap(({ link, hidden }) => (link === null || hidden ? [] : [link]));
  return {
    "@context": "https://schema.org",
    "@type": "ProfilePage",
    url: address,
    mainEntity: {
      "@type": "Person",
      name,
      jobTitle: title,
      description,
      url: address,
      sameAs: links.filter((link) => link.startsWith("https:")),
      knowsLanguage: "ar",
    },
  };
}
