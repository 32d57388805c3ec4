import { spawnSync } from "node:child_process";
import { z } from "zod";

// `npm run audit`. Not part of `npm test`: an advisory of today must not fail a commit of yesterday.
const report = z.object({
  metadata: z.object({
    vulnerabilities: z.object({ high: z.number(), critical: z.number() }),
  }),
});

const { stdout } = spawnSync("npm", ["audit", "--json"], { encoding: "utf8" });
const result = report.safeParse(JSON.parse(stdout));
if (!result.success) {
  // A registry without advisories (a mirror, no network) cannot say that anything is wrong.
  const { message = "no reason given" } = z
    .object({ message: z.string() })
    .partial()
    .parse(JSON.parse(stdout));
  console.log(`npm audit: SKIPPED, the registry gave no advisories (${message.split(" - ")[0]})`);
} else {
  const { high, critical } = result.data.metadata.vulnerabilities;
  console.log(`npm audit: ${high} high, ${critical} critical`);
  process.exitCode = high + critical > 0 ? 1 : 0;
}
