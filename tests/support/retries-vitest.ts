import { relative } from "node:path";
import type { Reporter, TestModule } from "vitest/node";
import { storeRetried } from "./retries.ts";
import { root } from "./spawn-server.ts";

/** Stores and names the tests that passed at their second try only. */
export const retriesReporter: Reporter = {
  onTestRunStart: () => storeRetried("vitest", []),
  onTestRunEnd(modules) {
    const titles = modules.flatMap(titlesOf);
    storeRetried("vitest", titles);
    // Playwright's own reporter names them, Vitest's does not.
    for (const title of titles) {
      console.log(`Needed a second try: ${title}`);
    }
  },
};

function titlesOf({ moduleId, children }: TestModule): string[] {
  const retried = Array.from(children.allTests("passed")).filter(
    (test) => test.diagnostic()?.flaky,
  );
  return retried.map(({ fullName }) => `${relative(root, moduleId)} > ${fullName}`);
}
