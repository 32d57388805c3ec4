import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { pageCompressor } from "./page-compression.server.ts";

const common = "<style>".padEnd(20_000, ".a{color:red}");
const [before, after] = ["<html><title>تواصل</title>", `${"مرحبا ".repeat(2000)}</html>`];
const compress = pageCompressor(common);
const bytesOf = (text: string) => Buffer.from(text).toString("latin1");

test("makes one gzip stream of the three parts", () => {
  const headers = new Headers();
  const body = compress(bytesOf(before), bytesOf(after), "br, gzip", headers);
  expect(gunzipSync(body).toString()).toBe(before + common + after);
  expect(body.length).toBeLessThan(1000);
  expect(Object.fromEntries(headers)).toEqual({
    "content-encoding": "gzip",
    vary: "Accept-Encoding",
  });
});

test.each([null, "", "br", "gzip;q=0"])(
  "leaves the page as it is for Accept-Encoding %s",
  (accept) => {
    const headers = new Headers();
    expect(compress(bytesOf(before), bytesOf(after), accept, headers).toString()).toBe(
      before + common + after,
    );
    expect(Object.fromEntries(headers)).toEqual({ vary: "Accept-Encoding" });
  },
);
