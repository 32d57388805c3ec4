import ICAL from "ical.js";
import { imageSize } from "image-size";
import { expect, test } from "vitest";
import { z } from "zod";
import { owner } from "#app/content/owner.ts";
import { readPictures } from "#app/content/pictures.server.ts";
import { ownerSchema } from "#app/content/schema.ts";
import { contactOf } from "#app/routes/home/contact.server.ts";
import { profileOf } from "#app/routes/home/meta.ts";
import { visibleAddress } from "#app/routes/home/visible-address.server.ts";
import { composeMail } from "#app/server/mail/layout.ts";
import { vcardOf } from "#app/server/sharing/vcard.ts";
import { contents } from "#tests/support/owner-lists.ts";
import { pages } from "#tests/support/routes.ts";
import { shipped } from "#tests/support/shipped-content.ts";
import { useSite } from "#tests/support/use-site.ts";

const address = "https://design.example/";

const site = useSite();
const home = () => `${site.url}/`;

const read = async (path: string) => {
  const response = await fetch(new URL(path, site.url));
  expect(response.status).toBe(200);
  return { headers: response.headers, text: await response.text() };
};

/** Returns the content of each meta tag. */
function tagsOf(html: string): Record<string, string> {
  const tags = html.matchAll(/<meta (?:property|name)="([^"]+)" content="([^"]+)"/g);
  return Object.fromEntries([...tags].map(([, name, content]) => [name, content]));
}

test("an Arabic domain is read as it is written, and linked in ASCII", () => {
  const url = new URL("https://تواصل.السعودية/");
  const ascii = "https://xn--mgbf8a8cr.xn--mgberp4a5d4ar";
  const card = vcardOf(owner, url.href).replaceAll("\r\n ", "");
  expect(card).toContain(`URL:${ascii}/\r\nNOTE:https://تواصل.السعودية/\r\n`);
  const contact = contactOf({ url, pictures: new Map(), absences: { list: [] } });
  expect([contact.address, contact.shownAddress]).toEqual([ascii, "https://تواصل.السعودية"]);
  expect(visibleAddress("map", `${ascii}/عن`)).toBe("تواصل.السعودية/عن");
  const link = { kind: "url", label: "انسخ الرابط", href: url.href } as const;
  const { html } = composeMail({ subject: "س", heading: "س", blocks: [link] });
  expect(html).toContain(`href="${ascii}/"`);
  expect(html).toContain(">https://تواصل.السعودية/<");
});

test("a shared link has a preview with absolute addresses", async () => {
  const { text } = await read("/");
  const tags = tagsOf(text);
  expect(tags).toMatchObject({
    "og:type": "profile",
    "og:url": home(),
    "og:description": owner.description,
    "og:locale": "ar_AR",
  });
  // WhatsApp cuts a longer one.
  expect([...(tags["og:title"] ?? "")].length).toBeLessThanOrEqual(65);
  expect(text).toContain(`<link rel="canonical" href="${home()}"/>`);
});

test("the picture of a shared link is one that WhatsApp, Telegram and X show", async () => {
  const tags = tagsOf((await read("/")).text);
  const picture = tags["og:image"] ?? "";
  // They know the page only by its address, and do not follow relative ones.
  expect(picture.startsWith(home())).toBe(true);
  expect(tags).toMatchObject({
    "og:image:type": "image/jpeg",
    "og:image:width": "1200",
    "og:image:height": "630",
    "og:image:alt": owner.name,
    "twitter:card": "summary_large_image",
  });
  const response = await fetch(picture);
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("image/jpeg");
  const bytes = new Uint8Array(await response.arrayBuffer());
  expect(imageSize(bytes)).toMatchObject({ type: "jpg", width: 1200, height: 630 });
  expect(bytes.length).toBeLessThan(100_000);
});

const webAddress = z.url({ protocol: /^https?$/ });

/**
 * What Google's documentation of ProfilePage (see meta.ts) requires and recommends, and of
 * schema.org's Person (https://schema.org/Person) what the content has. Of the recommended ones
 * are left out: alternateName, identifier and interactionStatistic, which belong to accounts of a
 * platform, and dateCreated and dateModified, because no file's date says when the content changed.
 */
const profileSchema = z.strictObject({
  "@context": z.literal("https://schema.org"),
  "@type": z.literal("ProfilePage"),
  url: webAddress,
  mainEntity: z.strictObject({
    "@type": z.literal("Person"),
    name: z.string().min(1),
    jobTitle: z.string().min(1),
    description: z.string().min(1),
    image: webAddress.optional(),
    url: webAddress,
    sameAs: z.array(webAddress),
    knowsLanguage: z.literal("ar"),
  }),
});

test("search engines read who the page is about", async () => {
  const { text } = await read("/");
  const [, json = ""] = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(text) ?? [];
  const { url, mainEntity } = profileSchema.parse(JSON.parse(json));
  expect(url).toBe(home());
  expect(mainEntity).toMatchObject({ name: owner.name, jobTitle: owner.title, url: home() });
  expect("image" in mainEntity).toBe(owner.photo !== undefined);
});

test("search engines read the photo and the profiles, by addresses of their own", () => {
  const { channels } = contents.most;
  const pictures = readPictures({ ...owner, photo: "cosmetics.webp" });
  const photo = pictures.get("cosmetics.webp");
  const contact = contactOf({ url: new URL(address), pictures, absences: { list: [] } });
  const shown = channels.map((channel) => ({ ...channel, address: undefined }));
  const profile = profileSchema.parse(profileOf({ ...contact, photo, channels: shown }));
  const { image, sameAs } = profile.mainEntity;
  expect(image).toMatch(/^https:\/\/design\.example\/pictures\/[\w-]+\.webp$/);
  expect(sameAs).toContain("https://example.com/github");
  expect(sameAs).not.toContain("https://example.com/map");
});

test("robots.txt names the sitemap, which has the pages for everybody", async () => {
  expect((await read("/robots.txt")).text).toContain(`Sitemap: ${home()}sitemap.xml`);
  const { text, headers } = await read("/sitemap.xml");
  expect(headers.get("content-type")).toMatch(/^application\/xml/);
  const listed = [...text.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, page = ""]) => page);
  expect(listed).toEqual(expect.arrayContaining([home(), `${home()}privacy`]));
  const everybodys = pages.filter(({ session }) => session === "any");
  expect(everybodys.map(({ path }) => new URL(path, home()).href)).toEqual(
    expect.arrayContaining(listed),
  );
  for (const page of listed) {
    const { text: html, headers: answer } = await read(page);
    expect(answer.get("x-robots-tag") ?? "").not.toContain("noindex");
    expect(html).not.toMatch(/<meta name="robots"/);
  }
});

test("the vCard is served as one", async () => {
  const { text, headers } = await read("/contact.vcf");
  expect(headers.get("content-type")).toBe("text/vcard; charset=utf-8");
  expect(text).toBe(vcardOf(owner, home()));
});

test.each(["100%", "100%25"])("a vCard has the address of the mailbox %s", (mailbox) => {
  const channel = { ...shipped.channels[0], icon: "email", link: `mailto:${mailbox}@example.com` };
  const content = ownerSchema.parse({ ...owner, channels: [channel] });
  const card = new ICAL.Component(ICAL.parse(vcardOf(content, address)));
  expect(card.getFirstPropertyValue("email")).toBe("100%@example.com");
});

const names = ["عبد الرحمن; المصمم, بن \\ خالد", "م".repeat(120), "👩🏽‍🎨 ".repeat(30).trim()];

test.each(names)("a vCard is read as it was meant, whatever the name is: %s", (name) => {
  const text = vcardOf({ ...shipped, name }, address);
  const lines = text.split("\r\n");
  expect(lines.pop()).toBe("");
  for (const line of lines) {
    expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
    // Each line can be decoded by itself: no letter was cut.
    expect(line).toBe(line.toWellFormed());
    expect(line).not.toContain("\n");
  }
  const card = new ICAL.Component(ICAL.parse(text));
  const given = [card.getFirstPropertyValue("n")].flat().find(Boolean);
  expect(given).toBe(name);
  // ical.js leaves the semicolon of a vCard 3.0 escaped (RFC 2426, 5: ESCAPED-CHAR).
  expect(String(card.getFirstPropertyValue("fn")).replaceAll("\\;", ";")).toBe(name);
  expect(card.getFirstPropertyValue("version")).toBe("3.0");
  expect(card.getFirstPropertyValue("email")).toBe("name@example.com");
  expect(String(card.getFirstPropertyValue("tel"))).toContain(shipped.phone);
  expect(card.getAllProperties("url").map((url) => url.getFirstValue())).toContain(address);
});
