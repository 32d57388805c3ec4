import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

import { expect, vi } from "vitest";

import type { RunningSite } from "../e2e/site.ts";
import { Visitor } from "./visitor.ts";

/** The newest confirmation link to an address. */
async function linkTo(site: RunningSite, email: string): Promise<URL> {
  const folder = join(site.dataDir, "mails");
  return vi.waitFor(async () => {
    const files = (await readdir(folder)).toSorted();
    const mails = await Promise.all(files.map((file) => readFile(join(folder, file), "utf8")));
    const mine = mails.filter((mail) => mail.includes(`\nTo: ${email}\r\n`));
    expect(mine.length).toBeGreaterThan(0);
    const body = /Content-Type: text\/plain[\s\S]*?\r\n\r\n([\s\S]*?)\r\n--/.exec(
      mine.at(-1) ?? "",
    )?.[1];
    const text = Buffer.from(body ?? "", "base64").toString();
    return new URL(/https?:\S+\/auth\/confirm\S+/.exec(text)?.[0] ?? "");
  }, 5000);
}

/** Follows the link of the newest mail to an address and presses its button; the visitor is signed in then. */
export async function confirm(site: RunningSite, email: string) {
  const link = await linkTo(site, email);
  const visitor = new Visitor(site);
  const answer = await visitor.post(link.pathname + link.search);
  if (answer.status !== 302) throw new Error(`The link was answered with ${answer.status}.`);
  return visitor;
}
