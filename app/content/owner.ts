import type { Owner } from "./schema.ts";

/** Dates in the inbox are shown in this zone. */
export const timeZone = "Asia/Riyadh";

/**
 * The site's content. Edit it and restart: the start reports a wrong field by name. Replace the
 * placeholder texts.
 */
export const owner: Owner = {
  name: "اسمك هنا",
  title: "Web Designer | Landing Page Expert",
  /** What search engines and shared links show under the name. */
  description: "مصمم مواقع متخصص في صفحات الهبوط. اطلع على أعمالي وراسلني لبدء مشروعك.",

  /** One sentence under the title, of at most 90 letters. */
  intro: "أصمم صفحات هبوط عربية سريعة وواضحة، تجعل الزائر عميلًا.",
  /** The day from which you take new projects. When it has come, the page says that you do now. */
  available: "2026-12-01",
  /** When you answer. It ends a sentence that a visitor reads after sending. */
  answerTime: "خلال يوم عمل",
  /**
   * What that means in hours of your working time, 1 to 80, for the stars of the board. Remove it to
   * have none. Days off are entered on the account page, under «الغياب».
   */
  promise: {
    hours: 8,
    days: ["sun", "mon", "tue", "wed", "thu"],
    from: "09:00",
    to: "17:00",
  },

  /** Country code and number, digits only. The button under the channels opens this chat. */
  phone: "966500000000",
  /** The message that waits, ready to send, in that chat. */
  projectMessage: "السلام عليكم، أرغب في بدء مشروع صفحة هبوط جديدة.",
  timeZone,

  /**
   * 1 to 12 channels. `schema.ts` lists the icons. `variant` is the style: solid, soft or outline.
   * A channel whose link is null is shown as coming soon. `hidden: true` takes an entry off the
   * page, here and in the lists below.
   */
  channels: [
    {
      name: "واتساب",
      icon: "whatsapp",
      link: "https://wa.me/966500000000",
      variant: "solid",
    },
    { name: "إنستغرام", icon: "instagram", link: null, variant: "outline" },
    { name: "فيسبوك", icon: "facebook", link: null, variant: "outline" },
    {
      name: "البريد الإلكتروني",
      icon: "email",
      link: "mailto:name@example.com",
      variant: "soft",
    },
  ],

  /**
   * Up to 24. `picture` shows the whole page: a file of the folder `pictures`, WebP, AVIF, JPEG or
   * PNG, best 512 by 1536, at most 60 kB. So is the optional `photo` of yourself, which the page shows
   * in the star: best 240 by 240.
   * `why` says why you designed it like this: up to 3 reasons of at most 45 letters. Without any, the
   * page has no switch for them.
   */
  works: [
    {
      title: "متجر مستحضرات تجميل",
      description: "متجر يعرض المنتجات بهدوء ويقود إلى الشراء",
      link: "https://example.com/cosmetics",
      picture: "cosmetics.webp",
      why: [
        "وعد واحد قبل أي منتج",
        "ثلاثة منتجات لا ثلاثون: القليل يُشترى",
        "زر الشراء يعود حين يقتنع القارئ",
      ],
    },
    {
      title: "صفحة هبوط للخدمات",
      description: "صفحة واحدة تشرح الخدمة وتجمع الطلبات",
      link: "https://example.com/services",
      picture: "services.webp",
      why: [
        "النموذج بجانب الوعد، لا في آخر الصفحة",
        "«أو لا تدفع»: الخوف يُجاب في العنوان",
        "ثلاث خطوات تجيب: ماذا بعد أن أحجز؟",
      ],
    },
    {
      title: "متجر ملابس داخلية",
      description: "متجر أنيق يحترم خصوصية زائراته",
      link: "https://example.com/lingerie",
      picture: "lingerie.webp",
      why: [
        "قماش لا أجساد: تفتحه وهي بين الناس",
        "الخصوصية قسم كامل، لا سطر صغير",
        "«مقاسك بلا حرج» بدل «دليل المقاسات»",
      ],
    },
  ],

  /** Up to 12. A link is a web address or a path of this site. */
  services: [
    { title: "صفحة التواصل", link: "/" },
    { title: "معرض أعمالي", link: "https://example.com/portfolio" },
  ],

  /**
   * Up to 6 ready replies, offered beside each message in the inbox. `{name}` is the sender's name.
   * A text has at most 200 Arabic letters, because it travels in a link.
   */
  replies: [
    {
      title: "شكر واستلام",
      text: "أهلًا {name}،\nشكرًا على رسالتك. وصلتني التفاصيل، وسأعود إليك بتصور وموعد خلال يوم عمل.",
    },
    {
      title: "طلب تفاصيل",
      text: "أهلًا {name}،\nشكرًا على رسالتك. لأقدّر الوقت والتكلفة: ما نشاط المشروع؟ ومتى موعد الإطلاق؟ وهل من مواقع تعجبك؟",
    },
    {
      title: "موعد مكالمة",
      text: "أهلًا {name}،\nيسعدني أن نتحدث عن المشروع في مكالمة قصيرة. ما الوقت المناسب خلال اليومين القادمين؟",
    },
  ],
};
