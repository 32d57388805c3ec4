import { expect, test } from "vitest";
import type { ChannelKind } from "#app/content/schema.ts";
import { visibleAddress } from "./visible-address.server.ts";

test.each<[ChannelKind, string, string]>([
  ["whatsapp", "https://wa.me/966500000000", "+966 50 000 0000"],
  ["whatsapp", "https://wa.me/966500000000?text=hi", "+966 50 000 0000"],
  ["whatsapp", "https://api.whatsapp.com/send?phone=966500000000", "+966 50 000 0000"],
  ["whatsapp", "https://wa.me/message/ABCDEF", "wa.me/message/ABCDEF"],
  ["phone", "tel:+966500000000", "+966 50 000 0000"],
  ["phone", "tel:+966-50-000-0000", "+966 50 000 0000"],
  ["phone", "tel:920000000", "920000000"],
  ["email", "mailto:name@example.com?subject=x", "name@example.com"],
  ["email", "mailto:%D8%B3@example.com", "س@example.com"],
  ["telegram", "https://t.me/name", "@name"],
  ["tiktok", "https://www.tiktok.com/@name/", "@name"],
  ["snapchat", "https://www.snapchat.com/add/na.me-1", "@na.me-1"],
  ["youtube", "https://www.youtube.com/@name", "@name"],
  ["linkedin", "https://www.linkedin.com/in/name/", "in/name"],
  ["github", "https://github.com/name", "github.com/name"],
  ["x", "https://x.com/", "x.com"],
  ["map", "https://maps.app.goo.gl/%D8%A8", "maps.app.goo.gl/ب"],
  ["map", "https://example.com/50%", "example.com/50%"],
])("%s %s is shown as %s", (kind, link, shown) => {
  expect(visibleAddress(kind, link)).toBe(shown);
});
