import { channelKinds, type Owner } from "#app/content/schema.ts";
import type { Content } from "./owned-site.ts";

type Lists = Pick<Owner, "channels" | "works" | "services">;

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

const variants = ["solid", "soft", "outline"] as const;
const ownLinks: Record<string, string> = { email: "mailto:a@example.com", phone: "tel:+9665" };

/** Returns channels of every variant and nearly every kind. Every fourth has no link. */
const channelsOf = (count: number): Owner["channels"] =>
  numbers(count).map((number) => {
    const icon = channelKinds[channelKinds.length - number] ?? "x";
    const link = number % 4 === 0 ? null : (ownLinks[icon] ?? `https://example.com/${icon}`);
    return { name: `قناة ${number}`, icon, link, variant: variants[number % 3] ?? "soft" };
  });

const worksOf = (count: number): Owner["works"] =>
  numbers(count).map((number) => ({
    title: `متجر رقم ${number}`,
    description: "وصف قصير لا يزيد كثيرًا على سطر واحد في البطاقة",
    link: `https://example.com/${number}`,
  }));

const longWord = "an-address-for-a-title.without-space.example";

const servicesOf = (count: number): Owner["services"] =>
  numbers(count).map((number) => ({ title: `خدمة ${number}`, link: "/" }));

const hide = <Entry extends object>(entry: Entry) => ({ ...entry, hidden: true });

const bare = { intro: null, available: null, answerTime: null, promise: null } satisfies Content;
const pictures = ["cosmetics.webp", "services.webp", "lingerie.webp"];

/** Contents that owners may have, from the shortest to the longest. */
export const contents: Record<"least" | "different" | "most", Content & Lists> = {
  least: {
    ...bare,
    channels: [...channelsOf(1), ...channelsOf(2).slice(1).map(hide)],
    works: [...worksOf(1), ...worksOf(2).slice(1).map(hide)],
    services: servicesOf(1).map(hide),
  },
  different: {
    name: "Alexandria Featherstonehaugh-Montgomery",
    title: "Webdesignerin für Rechtsschutzversicherungsgesellschaften",
    intro: "Websites für Kanzleien, mit Donaudampfschifffahrtsgesellschaftskapitänen erprobt.",
    available: "2020-01-01",
    photo: "cosmetics.webp",
    channels: channelsOf(11).map((channel) => ({ ...channel, name: channel.icon })),
    works: worksOf(24).map(({ title, ...rest }, index) => {
      const picture = index % 4 === 1 ? undefined : pictures[index % 3];
      const why = index % 3 ? undefined : [longWord, "سبب قصير", "ن".repeat(45)];
      return { ...rest, title: index % 5 ? title : `${title} ${longWord}`, picture, why };
    }),
    services: [...servicesOf(2), { title: longWord, link: "https://example.com/services" }],
  },
  most: {
    channels: channelsOf(12),
    works: worksOf(24).map((work) => ({ ...work, why: ["سبب أول", "سبب ثانٍ", "سبب ثالث"] })),
    services: servicesOf(12),
  },
};
