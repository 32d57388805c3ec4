import { vi } from "vitest";
import { mailsTo } from "#tests/support/mails.ts";
import type { RunningSite } from "#tests/support/site.ts";
import { Visitor } from "#tests/support/visitor.ts";

/** Waits for the newest confirmation link to an address. */
async function linkTo(site: RunningSite, email: string): Promise<URL> {
  return vi.waitFor(async () => {
    const link = (await mailsTo(site, email)).at(-1)?.link;
    if (!link) {
      throw new Error("No mail with a link has arrived");
    }
    return link;
  }, 30_000);
}

/** Follows the newest link to an address and presses the button. Returns the signed-in visitor. */
export async function confirm(site: RunningSite, email: string) {
  const link = await linkTo(site, email);
  const visitor = new Visitor(site);
  const answer = await visitor.post(link.pathname + link.search);
  if (answer.status !== 302) {
    throw new Error(`The confirmation failed: status ${answer.status}`);
  }
  return visitor;
}
