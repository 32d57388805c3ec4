import type { Owner } from "./schema.ts";

/**
 * Everything here is yours: change it, start the site, done. A mistake stops the start and
 * names the field. What still reads like a placeholder is one.
 */
export const owner = {
  name: "اسمك هنا",
  title: "Web Designer | Landing Page Expert",
  /** What search engines and shared links show under the name. */
  description: "مصمم مواقع متخصص في صفحات الهبوط. اطلع على أعمالي وراسلني لبدء مشروعك.",

  /** Country code and number, digits only. The button at the end of the card opens this chat. */
  phone: "966500000000",
  /** The message that waits, ready to send, in that chat. */
  projectMessage: "السلام عليكم، أرغب في بدء مشروع صفحة هبوط جديدة.",
  /** Dates in the inbox are shown in this zone. */
  timeZone: "Asia/Riyadh",

  /** A channel whose target is null is shown as coming soon. */
  channels: [
    { name: "واتساب", icon: "whatsapp", target: "https://wa.me/966500000000" },
    { name: "إنستغرام", icon: "instagram", target: null },
    { name: "فيسبوك", icon: "facebook", target: null },
    { name: "البريد الإلكتروني", icon: "email", target: "mailto:name@example.com" },
  ],

  works: [
    {
      title: "متجر مستحضرات تجميل",
      description: "متجر يعرض المنتجات بهدوء ويقود إلى الشراء",
      link: "https://example.com/cosmetics",
    },
    {
      title: "صفحة هبوط للخدمات",
      description: "صفحة واحدة تشرح الخدمة وتجمع الطلبات",
      link: "https://example.com/services",
    },
    {
      title: "متجر ملابس داخلية",
      description: "متجر أنيق يحترم خصوصية زائراته",
      link: "https://example.com/lingerie",
    },
  ],

  portfolio: "https://example.com/portfolio",
} satisfies Owner;
