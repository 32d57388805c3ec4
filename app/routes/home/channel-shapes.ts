import behance from "simple-icons/icons/behance.svg?path";
import dribbble from "simple-icons/icons/dribbble.svg?path";
import facebook from "simple-icons/icons/facebook.svg?path";
import github from "simple-icons/icons/github.svg?path";
import snapchat from "simple-icons/icons/snapchat.svg?path";
import telegram from "simple-icons/icons/telegram.svg?path";
import threads from "simple-icons/icons/threads.svg?path";
import tiktok from "simple-icons/icons/tiktok.svg?path";
import whatsapp from "simple-icons/icons/whatsapp.svg?path";
import x from "simple-icons/icons/x.svg?path";
import youtube from "simple-icons/icons/youtube.svg?path";
import type { ChannelKind } from "#app/content/schema.ts";

/** SVG path data of each kind of channel: one filled shape in a box of 24 by 24. */
export const channelShapes: Record<ChannelKind, string> = {
  whatsapp,
  telegram,
  x,
  snapchat,
  tiktok,
  facebook,
  youtube,
  behance,
  dribbble,
  github,
  threads,
  // The one of Simple Icons, with the symmetry that it has, in half of the bytes.
  instagram:
    "M12 0q4 0 5 .1c4.3.2 6.7 2.6 6.9 6.9q.1 1 .1 5t-.1 5c-.2 4.3-2.6 6.7-6.9 6.9q-1 .1-5 .1t-5-.1c-4.3-.2-6.7-2.6-6.9-6.9Q0 16 0 12t.1-5C.3 2.7 2.7.3 7 .1q1-.1 5-.1m0 2.2q-4 0-4.9.1c-3.3.1-4.7 1.6-4.8 4.8q-.1.9-.1 4.9t.1 4.9c.1 3.3 1.6 4.7 4.8 4.8q.9.1 4.9.1t4.9-.1c3.3-.1 4.7-1.6 4.8-4.8q.1-.9.1-4.9t-.1-4.9c-.1-3.3-1.6-4.7-4.8-4.8q-.9-.1-4.9-.1m0 3.6a6.2 6.2 0 1 1 0 12.4 6.2 6.2 0 0 1 0-12.4M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8m6.4-3.8a1.4 1.4 0 1 1 0 2.8 1.4 1.4 0 0 1 0-2.8",
  // Simple Icons has no shapes for these.
  linkedin:
    "M3 1h18a2 2 0 0 1 2 2v18a2 2 0 0 1-2 2H3a2 2 0 0 1-2-2V3a2 2 0 0 1 2-2zm3.6 4a1.7 1.7 0 1 0 0 3.4 1.7 1.7 0 0 0 0-3.4zM5.1 9.8v9.1h3V9.8zm5 0v9.1h3v-4.7c0-1.3.6-2 1.6-2s1.5.7 1.5 2v4.7h3v-5.3c0-2.7-1.4-4.1-3.4-4.1-1.3 0-2.2.6-2.7 1.5V9.8z",
  phone:
    "M7 1h10a2 2 0 0 1 2 2v18a2 2 0 0 1-2 2H7a2 2 0 0 1-2-2V3a2 2 0 0 1 2-2zm0 4v13h10V5zm3.5 14.5V21h3v-1.5z",
  email:
    "M3 4h18a2 2 0 0 1 2 2v.5L12 13.3 1 6.5V6a2 2 0 0 1 2-2zM1 8.8V18a2 2 0 0 0 2 2h18a2 2 0 0 0 2-2V8.8l-11 6.8z",
  map: "M12 1a8 8 0 0 1 8 8c0 5.5-8 14-8 14S4 14.5 4 9a8 8 0 0 1 8-8zm0 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6z",
};
