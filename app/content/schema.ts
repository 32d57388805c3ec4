import { z } from "zod";

const text = z.string().trim().min(1);
const webAddress = z.url({ protocol: /^https?$/ });

/** One way to reach the owner. Without a target it is shown as coming soon, and is no link. */
const channel = z.object({
  name: text,
  icon: z.enum(["whatsapp", "instagram", "facebook", "email"]),
  target: z.union([z.url({ protocol: /^(https?|mailto|tel)$/ }), z.null()]),
});

const work = z.object({ title: text, description: text, link: webAddress });

const timeZone = z.string().refine((name) => {
  try {
    return Boolean(new Intl.DateTimeFormat("en", { timeZone: name }));
  } catch {
    return false;
  }
}, "must be an IANA time zone such as Asia/Riyadh");

/** All that is the owner's on the site, as content/owner.ts gives it. */
export const ownerSchema = z.object({
  name: text,
  title: text,
  description: text.max(160),
  phone: z.string().regex(/^[1-9]\d{6,14}$/, "must be country code and number, digits only"),
  projectMessage: text,
  timeZone,
  channels: z.array(channel).length(4),
  works: z.array(work).length(3),
  portfolio: webAddress,
});

export type Owner = z.infer<typeof ownerSchema>;
