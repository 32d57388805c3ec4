import { tempFolder } from "#tests/support/folder.ts";
import { type Outcome, median } from "./measure.ts";
import { startServer, startSite } from "./servers.ts";
import { load } from "./tools/load.ts";
import { browserHeaders } from "./visitors.ts";

const options = { connections: 32, seconds: 3, headers: browserHeaders };
const rounds = 7;

/** Measures the anonymous page at 32 connections, alternating with bare node:http. */
export default async function measureLoad(): Promise<Outcome> {
  await using folder = await tempFolder();
  await using site = await startSite(folder.path);
  await using bare = await startServer(["tests/bench/bare-server.ts", `${site.url}/`]);
  const urls = { site: `${site.url}/`, bare: bare.url };
  const rates = { site: [] as number[], bare: [] as number[] };
  await load(urls.site, { ...options, seconds: 1 });
  await load(urls.bare, { ...options, seconds: 1 });
  for (let round = 0; round < rounds; round += 1) {
    // The order alternates, so that other load on the machine affects both.
    const order = round % 2 === 0 ? (["site", "bare"] as const) : (["bare", "site"] as const);
    for (const name of order) {
      rates[name].push(await load(urls[name], options));
    }
  }
  const share = median(rates.site.map((rate, round) => rate / (rates.bare[round] ?? 0)));

  return {
    title: "Anonymous page at 32 connections",
    note: `Medians of ${rounds} alternating runs; the bare server sends the same bytes and headers.`,
    figures: [
      { name: "bare node:http", value: median(rates.bare), unit: "requests/s" },
      { name: "/", value: median(rates.site), unit: "requests/s" },
      { name: "/ relative to bare", value: share * 100, unit: "%", atLeast: 85 },
    ],
  };
}
