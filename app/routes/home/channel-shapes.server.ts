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
import type { ChannelKind } from "../../content/schema.ts";

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
    "M3 1h18a2 2 0 0 1 2 2v18a2 2 0 0 1-2 2H3a2 2 0 0 1-2-2V3a2 2 0 0 1 2-2zm3.600 4a1.700 1.700 0 1 0 0 3.400 1.700 1.700 0 0 0 0-3.400zM5.100 9.800v9.100h3V9.800zm5 0v9.100h3v-4.700c0-1.300.6-2 1.600-2s1.500.7 1.500 2v4.700h3v-5.300c0-2.700-1.400-4.100-3.400-4.100-1.300 0-2.200.6-2.700 1.500V9.800z",
  phone:
    "M7 1h10a2 2 0 0 1 2 2v18a2 2 0 0 1-2 2H7a2 2 0 0 1-2-2V3a2 2 0 0 1 2-2zm0 4v13h10V5zm3.500 14.500V21h3v-1.500z",
  email:
    "M3 4h18a2 2 0 0 1 2 2v.5L12 13.300 1 6.500V6a2 2 0 0 1 2-2zM1 8.800V18a2 2 0 0 0 2 2h18a2 2 0 0 0 2-2V8.800l-11 6.800z",
  map: "M12 1a8 8 0 0 1 8 8c0 5.500-8 14-8 14S4 14.500 4 9a8 8 0 0 1 8-8zm0 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6z",
};
