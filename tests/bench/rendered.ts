import { cpuPerRequest, median, milliseconds, type Outcome } from "./measure.ts";
import { startSite, tempFolder } from "./servers.ts";
import { browserHeaders, signUp, storeMessage } from "./visitors.ts";

const requests = 300;
const messages = 50;

/** Measures how long rendered pages take, one request after the other, and their CPU time. */
export default async function measureRendered(): Promise<Outcome> {
  await using data = await tempFolder();
  await using site = await startSite(data.path);
  const cookie: Record<string, string> = { cookie: await signUp(site.url) };
  for (let count = 0; count < messages; count += 1) {
    await storeMessage(data.path, `أريد صفحة هبوط لمتجر جديد.\nرقم ${count}`);
  }
  const pages = [
    { name: "/, rendered", path: "/?next=rendered", headers: {} },
    { name: "/ with a session", path: "/", headers: cookie },
    { name: "/auth, rendered", path: "/auth?next=rendered", headers: {} },
    { name: "not found", path: "/nothing-here", headers: {}, status: 404 },
    { name: `/admin, ${messages} messages`, path: "/admin", headers: cookie },
  ];
  const rows: Outcome["rows"] = [];
  let p50 = Number.NaN;
  for (const { name, path, headers, status } of pages) {
    const url = `${site.url}${path}`;
    const all = { ...browserHeaders, ...headers };
    // Also warms up: V8 then has optimised the code.
    const cpu = await cpuPerRequest(site.pid, url, all, status);
    p50 = median(await times(url, all));
    rows.push({ page: name, p50: milliseconds(p50), "CPU per request": milliseconds(cpu) });
  }
  return {
    title: "Rendered pages",
    note: `p50 of ${requests} requests, one after the other, until the last byte. CPU: of the server's process only, averaged over 400 requests at 8 connections.`,
    rows,
    // The last page is the inbox.
    budgets: [
      {
        name: `p50 of /admin, ${messages} messages`,
        measured: p50,
        limit: { atMost: 10 },
        unit: "ms",
      },
    ],
  };
}

async function times(url: string, headers: Record<string, string>): Promise<number[]> {
  const all: number[] = [];
  for (let count = 0; count < requests; count += 1) {
    const since = performance.now();
    const response = await fetch(url, { headers });
    await response.arrayBuffer();
    all.push(performance.now() - since);
  }
  return all;
}
