import { cpuPerRequest, median, milliseconds, type Outcome, percent } from "./measure.ts";
import { startSite, tempFolder } from "./servers.ts";
import { startTemplate } from "./template.ts";
import { browserHeaders, insertMessage, readSecretKey, signUp } from "./visitors.ts";

const rounds = 7;
// Until V8 has optimised the code of both servers.
const warmUps = 4;
const messages = 50;

/** Measures the CPU time of a rendered page, alternating with the default template. */
export default async function measureRendered(): Promise<Outcome> {
  await using data = await tempFolder();
  await using build = await tempFolder();
  await using site = await startSite(data.path);
  await using template = await startTemplate(build.path);
  const cookie: Record<string, string> = { cookie: await signUp(site.url) };
  const secretKey = await readSecretKey(data.path);
  for (let count = 0; count < messages; count += 1) {
    await insertMessage(site.url, secretKey, `أريد صفحة هبوط لمتجر جديد.\nرقم ${count}`);
  }
  const pages = [
    { name: "default template, react-router-serve: /", server: template, path: "/", headers: {} },
    { name: "Tawasul: /, rendered", server: site, path: "/?code=rendered", headers: {} },
    { name: "Tawasul: / with a session", server: site, path: "/", headers: cookie },
    { name: "Tawasul: /auth, rendered", server: site, path: "/auth?next=rendered", headers: {} },
    { name: "Tawasul: not found", server: site, path: "/nothing-here", headers: {}, status: 404 },
    {
      name: `Tawasul: /admin, ${messages} messages`,
      server: site,
      path: "/admin",
      headers: cookie,
    },
  ];
  const costs = pages.map(() => [] as number[]);
  for (let round = -warmUps; round < rounds; round += 1) {
    for (const [index, { server, path, headers, status }] of pages.entries()) {
      const url = `${server.url}${path}`;
      const cost = await cpuPerRequest(server.pid, url, { ...browserHeaders, ...headers }, status);
      if (round >= 0) {
        costs[index]?.push(cost);
      }
    }
  }
  const medians = costs.map(median);
  const share = (index: number) => (medians[index] ?? 0) / (medians[0] ?? 0);
  return {
    title: "CPU of the server per rendered page",
    note: `Medians of ${rounds} alternating rounds of 400 requests at 8 connections. CPU of the server's process only, without the database's share of /admin.`,
    rows: pages.map(({ name }, index) => ({
      page: name,
      "CPU per request": milliseconds(medians[index] ?? 0),
      share: percent(share(index)),
    })),
    budgets: [1, 2, 3, 4].map((index) => ({
      name: `${pages[index]?.name} relative to the template`,
      measured: share(index) * 100,
      limit: { atMost: 25 },
      unit: "%",
    })),
  };
}
