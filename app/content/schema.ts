import { z } from "zod";
import { weekDays } from "#app/lib/working-time.ts";

export const channelKinds = [
  "whatsapp",
  "telegram",
  "x",
  "snapchat",
  "tiktok",
  "instagram",
  "facebook",
  "youtube",
  "linkedin",
  "behance",
  "dribbble",
  "github",
  "threads",
  "phone",
  "email",
  "map",
] as const;

export type ChannelKind = (typeof channelKinds)[number];

const textSchema = z.string("must be a text").trim().min(1, "must not be empty");
const hiddenSchema = z.boolean("must be true or false").optional();
const webAddressSchema = z.url({
  protocol: /^https?$/,
  error: "must be a web address such as https://example.com",
});

const schemes: Partial<Record<ChannelKind, { protocol: RegExp; example: string }>> = {
  email: { protocol: /^mailto:$/, example: "mailto:name@example.com" },
  phone: { protocol: /^tel:$/, example: "tel:+966500000000" },
};
const webScheme = { protocol: /^https?:$/, example: "https://example.com/name" };

const channelSchema = z
  .strictObject({
    name: textSchema,
    icon: z.enum(channelKinds, `must be one of ${channelKinds.join(", ")}`),
    link: z.string("must be a link, or null for coming soon").nullable(),
    variant: z.enum(["solid", "soft", "outline"], "must be solid, soft or outline"),
    hidden: hiddenSchema,
  })
  .superRefine(({ icon, link }, context) => {
    if (link === null) {
      return;
    }
    const { protocol, example } = schemes[icon] ?? webScheme;
    const url = URL.parse(link);
    if (url === null || url.pathname === "" || !protocol.test(url.protocol)) {
      const message = `must be a link such as ${example}, or null for coming soon`;
      context.addIssue({ code: "custom", path: ["link"], message });
    }
  });

// pictures.server.ts reads the file.
const pictureSchema = z
  .string("must be a text")
  .regex(
    /^[\w-]+\.(webp|avif|jpe?g|png)$/i,
    "must be a file of app/content/pictures, such as store.webp",
  )
  .optional();

const workSchema = z.strictObject({
  title: textSchema,
  description: textSchema,
  link: webAddressSchema,
  picture: pictureSchema,
  why: z
    .array(textSchema.max(45, "must have at most 45 characters"), "must be a list")
    .max(3, "must have at most 3 entries")
    .optional(),
  hidden: hiddenSchema,
});

const serviceSchema = z.strictObject({
  title: textSchema,
  link: z.union([webAddressSchema, z.string().regex(/^\/(?![/\\])\S*$/)], {
    error: "must be a web address, or a path of this site such as /",
  }),
  hidden: hiddenSchema,
});

// In bytes of a URL, where an Arabic letter takes six.
const longestReply = 1200;

const replySchema = z.strictObject({
  title: textSchema.max(30, "must have at most 30 characters"),
  text: textSchema
    .refine((text) => !/[{}]/.test(text.replaceAll("{name}", "")), "may have no braces but {name}")
    .refine(
      (text) => text.isWellFormed() && encodeURIComponent(text).length <= longestReply,
      "must have at most 200 Arabic letters",
    ),
});

const timeZoneSchema = z.string("must be a text").refine((name) => {
  try {
    return Boolean(new Intl.DateTimeFormat("en", { timeZone: name }));
  } catch {
    return false;
  }
}, "must be an IANA time zone such as Asia/Riyadh");

const timeOfDaySchema = z
  .string("must be a time such as 09:00")
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, "must be a time such as 09:00");

const minutesOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

/** What to do with days off, which have no place in the content any more. */
function daysOffText(days: string[]): string {
  const spans: { first: string; last: string }[] = [];
  for (const day of days.toSorted()) {
    const last = spans.at(-1);
    if (last && Date.parse(day) - Date.parse(last.last) <= 86_400_000) {
      last.last = day;
    } else {
      spans.push({ first: day, last: day });
    }
  }
  const listed = spans.map(({ first, last }) => (first === last ? first : `${first} to ${last}`));
  return `is on the account page now. Remove the field, start the site, and enter there under «الغياب»: ${listed.join(", ")}`;
}

const promiseSchema = z
  .strictObject({
    hours: z.int("must be a whole number").min(1, "must be 1 to 80").max(80, "must be 1 to 80"),
    days: z
      .array(z.enum(weekDays, `must be one of ${weekDays.join(", ")}`), "must be a list")
      .min(1, "must name a day"),
    from: timeOfDaySchema,
    to: timeOfDaySchema,
    // Of 2.0.0, which shipped an empty list.
    daysOff: z
      .array(z.string(), "must be a list")
      .refine((days) => days.length === 0, {
        error: ({ input }) => daysOffText(input as string[]),
      })
      .optional(),
  })
  // Shorter days would make the longest promise last for years.
  .refine(({ from, to }) => minutesOf(to) - minutesOf(from) >= 15, {
    path: ["to"],
    error: "must be at least 15 minutes after `from`",
  });

const contentSchema = z.strictObject({
  name: textSchema,
  title: textSchema,
  description: textSchema.max(160, "must have at most 160 characters"),
  photo: pictureSchema,
  intro: textSchema.max(90, "must have at most 90 characters").optional(),
  available: z.iso.date("must be a day such as 2026-12-01").optional(),
  answerTime: textSchema.max(40, "must have at most 40 characters").optional(),
  promise: promiseSchema.optional(),
  phone: z
    .string("must be a text")
    .regex(/^[1-9]\d{6,14}$/, "must be country code and number, digits only"),
  projectMessage: textSchema,
  timeZone: timeZoneSchema,
  channels: z
    .array(channelSchema, "must be a list")
    .max(12, "must have at most 12 entries")
    .refine((channels) => channels.some(({ hidden }) => !hidden), "must show at least one entry"),
  works: z.array(workSchema, "must be a list").max(24, "must have at most 24 entries"),
  services: z.array(serviceSchema, "must be a list").max(12, "must have at most 12 entries"),
  replies: z
    .array(replySchema, "must be a list")
    .max(6, "must have at most 6 entries")
    .refine(
      (replies) => new Set(replies.map(({ title }) => title)).size === replies.length,
      "must have different titles",
    )
    .optional(),
});

export const ownerSchema = contentSchema.refine(
  ({ promise, answerTime }) => !promise || answerTime !== undefined,
  { path: ["promise"], error: "needs `answerTime`, which visitors read" },
);

export type Owner = z.infer<typeof ownerSchema>;
