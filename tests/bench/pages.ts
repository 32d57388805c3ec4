import { startServer, startSite, tempFolder } from "./servers.ts";
import { startTemplate } from "./template.ts";
import { insertMessage, readSecretKey, signUp } from "./visitors.ts";

export interface BenchPage {
  name: string;
  url: string;
  headers: Record<string, string>;
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
  const cookie = await signUp(site.url);
  const kept = held.move();
  return {
    pages: [
      { name: "hand-written HTML, no script", url: `${floor.url}/`, headers: {} },
      { name: "/", url: `${site.url}/`, headers: {} },
      { name: "/auth", url: `${site.url}/auth`, headers: {} },
      { name: "not found", url: `${site.url}/nothing-here`, headers: {} },
      { name: "/admin", url: `${site.url}/admin`, headers: { cookie } },
      { name: "React Router's default template", url: `${template.url}/`, headers: {} },
    ],
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}
