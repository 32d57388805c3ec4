import { vi } from "vitest";
import { mailsTo } from "./mails.ts";
import type { RunningSite } from "./site.ts";
import { Visitor } from "./visitor.ts";

/** The newest confirmation link to an address. */
async function linkTo(site: RunningSite, email: string): Promise<URL> {
  return vi.waitFor(async () => {
    const link = (await mailsTo(site, email)).at(-1)?.link;
    if (!link) {
      throw new Error("There is no mail with a link yet");
    }
    return link;
  }, 5000);
}

/** Follows the newest link to an address and presses its button. Returns the signed-in visitor. */
export async function confirm(site: RunningSite, email: string) {
  const link = await linkTo(site, email);
  const visitor = new Visitor(site);
  const answer = await visitor.post(link.pathname + link.search);
  if (answer.status !== 302) {
    throw new Error(`The link was answered with ${answer.status}.`);
  }
  return visitor;
}
