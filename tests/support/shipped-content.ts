import type { Owner } from "#app/content/schema.ts";

/** Content with the placeholders of the shipped owner.ts, whatever its owner has made of that. */
export const shipped: Owner = {
  name: "اسمك هنا",
  title: "Web Designer | Landing Page Expert",
  description: "مصمم مواقع متخصص في صفحات الهبوط.",
  answerTime: "خلال يوم عمل",
  promise: { hours: 8, days: ["sun", "mon"], from: "09:00", to: "17:00" },
  phone: "966500000000",
  projectMessage: "السلام عليكم، أرغب في بدء مشروع.",
  timeZone: "Asia/Riyadh",
  channels: [
    { name: "واتساب", icon: "whatsapp", link: "https://wa.me/966500000000", variant: "solid" },
    { name: "إنستغرام", icon: "instagram", link: null, variant: "outline" },
    { name: "البريد", icon: "email", link: "mailto:name@example.com", variant: "soft" },
  ],
  works: [{ title: "متجر", description: "متجر", link: "https://example.com/cosmetics" }],
  services: [{ title: "صفحة التواصل", link: "/" }],
};
