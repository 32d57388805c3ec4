import { startServer, startSite, tempFolder } from "./servers.ts";
import { startTemplate } from "./template.ts";
import { insertMessage, readSecretKey, signUp } from "./visitors.ts";

export interface BenchPage {
  name: string;
  url: string;
  /** As a Cookie header has them. */
  cookies?: string;
  /** Audits of Lighthouse that object to what the page is for. */
  skipAudits?: string[];
}

/** Our pages, with an inbox of some messages, and those of peers with the same content. */
export async function openPages(): Promise<AsyncDisposable & { pages: BenchPage[] }> {
  await using held = new AsyncDisposableStack();
  const data = held.use(await tempFolder());
  const build = held.use(await tempFolder());
  const site = held.use(await startSite(data.path));
  const floor = held.use(await startServer(["tests/bench/floor-server.ts"], { ready: "ready" }));
  const template = held.use(await startTemplate(build.path));
  const secretKey = await readSecretKey(data.path);
  for (let count = 1; count <= 20; count += 1) {
    await insertMessage(site.url, secretKey, `أريد صفحة هبوط لمتجر جديد.\nرقم ${count}`);
  }
  const cookies = await signUp(site.url);
  const kept = held.move();
  return {
    pages: [
      { name: "hand-written HTML, no script", url: `${floor.url}/` },
      { name: "/", url: `${site.url}/` },
      { name: "/auth", url: `${site.url}/auth` },
      {
        name: "not found",
        url: `${site.url}/nothing-here`,
        // Both say that the status is 404, the second in the browser's own words.
        skipAudits: ["http-status-code", "errors-in-console"],
      },
      { name: "/admin", url: `${site.url}/admin`, cookies },
      { name: "React Router's default template", url: `${template.url}/` },
    ],
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/** The page's cookies for a browser. */
export function cookiesOf({ url, cookies }: BenchPage) {
  return (cookies?.split("; ") ?? []).map((cookie) => {
    const [name = "", ...value] = cookie.split("=");
    return { name, value: value.join("="), url };
  });
}
