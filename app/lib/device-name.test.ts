import { expect, test } from "vitest";
import { deviceName } from "./device-name.ts";

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
  expect(deviceName(userAgent)).toBe(name);
});
