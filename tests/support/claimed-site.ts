import { type RunningSite, startSite } from "./site.ts";
import { withSuperuser } from "./superuser.ts";
import { newCredentials, signUp, Visitor } from "./visitor.ts";

/** A site and its owner, once `claim` has made the account and given it the inbox. */
export function claimedSite(site: RunningSite) {
  const owner = Object.assign(new Visitor(site), { credentials: newCredentials() });
  /** Runs statements. Returns the rows that they select. */
  const sql = async (statements: string) => {
    const results = await withSuperuser(site.dataDir, (pool) => pool.script(statements));
    // Tests read arbitrary columns.
    // oxlint-disable-next-line typescript/no-explicit-any
    return results.flatMap(({ rows }): any[] => rows);
  };
  return {
    site,
    owner,
    sql,
    async claim() {
      const { email } = owner.credentials;
      await signUp(owner, owner.credentials);
      await sql(`select private.own_inbox(id) from auth.users where email = '${email}'`);
    },
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
