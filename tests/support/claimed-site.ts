import { startSite } from "./site.ts";
import { withSuperuser } from "./superuser.ts";
import { signedUp } from "./visitor.ts";

/** Starts a site with an owner. Takes `env` and `statements` like startSite. */
export async function startClaimedSite(env: Record<string, string> = {}, statements?: string) {
  const site = await startSite(env, statements);
  const owner = await signedUp(site);
  const claim = await owner.post("/admin/claim", { code: site.claimCode() });
  if (claim.status !== 302) {
    throw new Error(`The claim failed: status ${claim.status}`);
  }
  return {
    site,
    owner,
    /** Runs statements. Returns the rows that they select. */
    sql: (statements: string) =>
      withSuperuser(site.dataDir, async (sql) =>
        // Tests read arbitrary columns.
        // oxlint-disable-next-line typescript/no-explicit-any
        (await sql.script(statements)).flatMap(({ rows }): any[] => rows),
      ),
  };
}

export type ClaimedSite = Awaited<ReturnType<typeof startClaimedSite>>;
