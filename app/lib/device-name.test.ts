import { expect, test } from "vitest";
import { isBrowser } from "#tests/support/gateway.ts";
import { deviceName, siteAgent } from "./device-name.ts";

const webkit = "AppleWebKit/537.36 (KHTML, like Gecko)";

test.each([
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/150.0 Safari/537.36`,
    "Chrome · Windows",
  ],
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/150.0 Safari/537.36 Edg/150.0`,
    "Edge · Windows",
  ],
  [
    `Mozilla/5.0 (Linux; Android 15; SM-S901B) ${webkit} SamsungBrowser/27.0 Chrome/125.0 Mobile Safari/537.36`,
    "Samsung Internet · Android",
  ],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1",
    "Safari · iPhone",
  ],
  [
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:150.0) Gecko/20100101 Firefox/150.0",
    "Firefox · macOS",
  ],
  [
    `Mozilla/5.0 (X11; Linux x86_64) ${webkit} HeadlessChrome/153.0 Safari/537.36`,
    "Chrome · Linux",
  ],
  ["curl/8.14.1", undefined],
  ["", undefined],
  [null, undefined],
])("%j is %j", (userAgent, name) => {
  expect(deviceName(siteAgent(userAgent))).toBe(name);
});

test("a session that another program began has no name", () => {
  expect(deviceName(null)).toBeUndefined();
  expect(deviceName("Mozilla/5.0 (Windows NT 10.0) Firefox/150.0")).toBeUndefined();
});

// Supabase's gateway refuses browsers beside a secret key, by a rule that it does not publish.
test("the site's agent has no word of a browser's, and nothing that a visitor writes", () => {
  const browsers = ["Edg", "OPR", "SamsungBrowser", "Firefox", "Chrome", "Safari", "x"];
  const systems = ["Android", "iPhone", "iPad", "CrOS", "Mac OS X", "Windows", "Linux", "x"];
  for (const browser of browsers) {
    for (const system of systems) {
      const agent = siteAgent(
        `Mozilla/5.0 (${system}; \r\nX-Forged: 1) ${browser}/1 ${"y".repeat(999)}`,
      );
      expect(agent).toMatch(/^Tawasul( app-[a-z]{2})?( on-[a-z]{2})?$/);
      expect(agent.toLowerCase().split(/[ -]/)).not.toContain(browser.toLowerCase());
      expect(isBrowser(agent)).toBe(false);
    }
  }
});
