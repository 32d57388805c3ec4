import {
  siBehance,
  siDribbble,
  siFacebook,
  siGithub,
  siInstagram,
  siSnapchat,
  siTelegram,
  siThreads,
  siTiktok,
  siWhatsapp,
  siX,
  siYoutube,
} from "simple-icons";
import type { ChannelKind } from "#app/content/schema.ts";

/** SVG path data of each kind of channel: one filled shape in a box of 24 by 24. */
export const channelShapes: Record<ChannelKind, string> = {
  whatsapp: siWhatsapp.path,
  telegram: siTelegram.path,
  x: siX.path,
  snapchat: siSnapchat.path,
  tiktok: siTiktok.path,
  instagram: siInstagram.path,
  facebook: siFacebook.path,
  youtube: siYoutube.path,
  behance: siBehance.path,
  dribbble: siDribbble.path,
  github: siGithub.path,
  threads: siThreads.path,
  // simple-icons has no shapes for these.
  linkedin:
    "M3 1h18a2 2 0 0 1 2 2v18a2 2 0 0 1-2 2H3a2 2 0 0 1-2-2V3a2 2 0 0 1 2-2zm3.6 4a1.7 1.7 0 1 0 0 3.4 1.7 1.7 0 0 0 0-3.4zM5.1 9.8v9.1h3V9.8zm5 0v9.1h3v-4.7c0-1.3.6-2 1.6-2s1.5.7 1.5 2v4.7h3v-5.3c0-2.7-1.4-4.1-3.4-4.1-1.3 0-2.2.6-2.7 1.5V9.8z",
  phone:
    "M7 1h10a2 2 0 0 1 2 2v18a2 2 0 0 1-2 2H7a2 2 0 0 1-2-2V3a2 2 0 0 1 2-2zm0 4v13h10V5zm3.5 14.5V21h3v-1.5z",
  email:
    "M3 4h18a2 2 0 0 1 2 2v.5L12 13.3 1 6.5V6a2 2 0 0 1 2-2zM1 8.8V18a2 2 0 0 0 2 2h18a2 2 0 0 0 2-2V8.8l-11 6.8z",
  map: "M12 1a8 8 0 0 1 8 8c0 5.5-8 14-8 14S4 14.5 4 9a8 8 0 0 1 8-8zm0 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6z",
};
