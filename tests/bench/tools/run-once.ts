import lighthouse, { type Flags } from "lighthouse";

export const categories = ["performance", "accessibility", "best-practices", "seo"];

/** Runs Lighthouse on a page. Returns the scores of its categories, LCP and CLS. */
export async function runOnce(
  { url, skipAudits = [] }: { url: string; skipAudits?: string[] },
  flags: Flags,
): Promise<Record<string, number>> {
  const result = await lighthouse(url, {
    skipAudits,
    ignoreStatusCode: true,
    logLevel: "error",
    ...flags,
  });
  if (!result || result.lhr.runtimeError) {
    throw new Error(`${url}: ${result?.lhr.runtimeError?.message}`);
  }
  const { lhr } = result;
  return {
    ...Object.fromEntries(
      categories.map((name) => [name, Math.round((lhr.categories[name]?.score ?? 0) * 100)]),
    ),
    LCP: lhr.audits["largest-contentful-paint"]?.numericValue ?? Number.NaN,
    CLS: lhr.audits["cumulative-layout-shift"]?.numericValue ?? Number.NaN,
  };
}
