import { tempFolder } from "#tests/support/folder.ts";
import { startSite } from "./servers.ts";
import { signUp, storeMessage } from "./visitors.ts";

export interface BenchPage {
  name: string;
  url: string;
  /** The value of a Cookie header. */
  cookies?: string;
  /** Lighthouse audits that fail on the purpose of the page. */
  skipAudits?: string[];
}

/** Starts the site with some messages. Returns its pages. */
export async function openPages(): Promise<AsyncDisposable & { pages: BenchPage[] }> {
  await using held = new AsyncDisposableStack();
  const data = held.use(await tempFolder());
  const site = held.use(await startSite(data.path));
  for (let count = 1; count <= 20; count += 1) {
    await storeMessage(data.path, `أريد صفحة هبوط لمتجر جديد.\nرقم ${count}`);
  }
  const cookies = await signUp(site.url);
  const kept = held.move();
  return {
    pages: [
      { name: "/", url: `${site.url}/` },
      { name: "/auth", url: `${site.url}/auth` },
      {
        name: "not found",
        url: `${site.url}/nothing-here`,
        // Both fail on the status 404.
        skipAudits: ["http-status-code", "errors-in-console"],
      },
      {
        name: "/admin",
        url: `${site.url}/admin`,
        cookies,
        // No search engine may list it.
        skipAudits: ["is-crawlable"],
      },
    ],
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/** Returns the page's cookies for Playwright. */
export function cookiesOf({ url, cookies }: Pick<BenchPage, "url" | "cookies">) {
  return (cookies?.split("; ") ?? []).map((cookie) => {
    const [name = "", ...value] = cookie.split("=");
    return { name, value: value.join("="), url };
  });
}
