import { tempFolder } from "#tests/support/folder.ts";
import { type Figure, type Outcome, median } from "./measure.ts";
import { startSite } from "./servers.ts";
import { browserHeaders, signUp, storeMessage } from "./visitors.ts";

const requests = 300;
const messages = 50;

/** Measures how long rendered pages take, one request after the other. */
export default async function measureRendered(): Promise<Outcome> {
  await using data = await tempFolder();
  await using site = await startSite(data.path);
  const cookie: Record<string, string> = { cookie: await signUp(site.url) };
  for (let count = 0; count < messages; count += 1) {
    await storeMessage(data.path, `أريد صفحة هبوط لمتجر جديد.\nرقم ${count}`);
  }
  const pages = [
    { name: "/", path: "/?sent=rendered", headers: {} },
    { name: "/ with a session", path: "/", headers: cookie },
    { name: "/auth", path: "/auth?next=rendered", headers: {} },
    { name: "not found", path: "/nothing-here", headers: {}, status: 404 },
    { name: `/admin, ${messages} messages`, path: "/admin", headers: cookie, atMost: 10 },
  ];
  const figures: Figure[] = [];
  for (const { name, path, headers, status = 200, ...target } of pages) {
    const ask = () => times(`${site.url}${path}`, { ...browserHeaders, ...headers }, status);
    // V8 then has optimised the code.
    await ask();
    figures.push({ name: `${name}, p50`, value: median(await ask()), unit: "ms", ...target });
  }
  return {
    title: "Rendered pages",
    note: `p50 of ${requests} requests, one after the other, until the last byte.`,
    figures,
  };
}

/** Throws if a response has another status. */
async function times(
  url: string,
  headers: Record<string, string>,
  status: number,
): Promise<number[]> {
  const all: number[] = [];
  for (let count = 0; count < requests; count += 1) {
    const since = performance.now();
    const response = await fetch(url, { headers });
    await response.arrayBuffer();
    all.push(performance.now() - since);
    if (response.status !== status) {
      throw new Error(`${url}: ${response.status} instead of ${status}`);
    }
  }
  return all;
}
