import { type RunningSite, startSite } from "./site.ts";
import { withSuperuser } from "./superuser.ts";
import { newCredentials, signUp, Visitor } from "./visitor.ts";

/** A site and its owner, once `claim` has made the account and claimed the inbox. */
export function claimedSite(site: RunningSite) {
  const owner = Object.assign(new Visitor(site), { credentials: newCredentials() });
  return {
    site,
    owner,
    async claim() {
      await signUp(owner, owner.credentials);
      const { status } = await owner.post("/admin/claim", { code: site.claimCode() });
      if (status !== 302) {
        throw new Error(`The claim failed: status ${status}`);
      }
    },
    /** Runs statements. Returns the rows that they select. */
    sql: (statements: string) =>
      withSuperuser(site.dataDir, async (sql) =>
        // Tests read arbitrary columns.
        // oxlint-disable-next-line typescript/no-explicit-any
        (await sql.script(statements)).flatMap(({ rows }): any[] => rows),
      ),
  };
}

export type ClaimedSite = Omit<ReturnType<typeof claimedSite>, "claim">;

/** Starts a site with an owner, like startSite. */
export async function startClaimedSite(
  ...start: Parameters<typeof startSite>
): Promise<ClaimedSite> {
  const { claim, ...claimed } = claimedSite(await startSite(...start));
  await claim();
  return claimed;
}
