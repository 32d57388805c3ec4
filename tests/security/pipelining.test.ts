import { afterAll, expect, test } from "vitest";
import { raw } from "#tests/support/raw-request.ts";
import { startSite } from "#tests/support/site.ts";
import { ask } from "#tests/support/visitor.ts";

const site = await startSite();
afterAll(() => site.stop());

/** Requests in one write; after the last one the connection ends. */
const requests = (targets: string[]) =>
  Buffer.from(
    targets
      .map((target, index) => {
        const isLast = index === targets.length - 1;
        const connection = isLast ? "close" : "keep-alive";
        return `GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: ${connection}\r\n\r\n`;
      })
      .join(""),
  );

const statusesOf = (answers: string) => answers.match(/(?<=HTTP\/1\.1 )\d+/g) ?? [];

test("a few pipelined requests are all answered, in order", async () => {
  const targets = Array.from({ length: 30 }, (_, index) => (index % 3 ? "/?x" : "/nothing"));
  const expected = targets.map((target) => (target === "/?x" ? "200" : "404"));
  expect(statusesOf(await raw(site, requests(targets)))).toEqual(expected);
});

test.each(["/", "/?x", "/healthz", "/nothing"])(
  "of 2,000 pipelined requests for %s, at most 32 are processed",
  async (target) => {
    // The connection is cut, perhaps before the first response.
    const answers = await raw(site, requests(Array.from({ length: 2_000 }, () => target))).catch(
      (error: NodeJS.ErrnoException) => (error.code === "ECONNRESET" ? "" : Promise.reject(error)),
    );
    expect(statusesOf(answers).length).toBeLessThanOrEqual(32);
    expect((await ask(site, "GET", "/healthz")).status).toBe(200);
    await expect
      .poll(() => site.output().match(/A limit was reached .*/g))
      .toEqual(["A limit was reached limit=unanswered count=1"]);
  },
);
