import {
  createAuth,
  createRest,
  listCalls,
  loadKeys,
  noLimits,
  openPool,
  type Pools,
} from "embedded-supabase/testing";
import { calls } from "#app/supabase-calls.ts";
import { fileMails } from "./embedded-server.ts";
import { silentLog } from "./log.ts";
import { superuserLogin } from "./superuser.ts";

/**
 * Runs the services of the embedded Supabase in the test's process, on the database of a running
 * site. So a test can be a caller that the site never is: nothing of them listens to the network.
 */
export async function openServices(site: { url: string; dataDir: string }) {
  const keys = await loadKeys(site.dataDir);
  const database = openPools(site.dataDir);
  const parts = { keys, now: Date.now, log: silentLog };
  const auth = createAuth({
    ...parts,
    db: database.auth,
    confirmEmail: false,
    limits: noLimits(),
    sendMail: fileMails(site.dataDir).send,
    onAccountChange: () => undefined,
    siteUrl: site.url,
  });
  const list = listCalls(calls);
  const rest = await createRest({ ...parts, calls: list, database });
  return {
    keys,
    /** Answers the calls of the list. Throws for another one. */
    fetch: (request: Request) => {
      const call = list.find(request);
      if (!call) {
        throw new Error(`${request.method} ${request.url} is not on the list`);
      }
      return call.path.startsWith("/rest/") ? rest.fetch(request) : auth.fetch(request);
    },
  };
}

/** The pools of the services. Only the site knows the passwords of their logins. */
function openPools(dataDir: string): Pools {
  const login = () => superuserLogin(dataDir);
  const pools = {
    auth: openPool({ ...login(), options: "-c role=supabase_auth_admin" }),
    authenticator: openPool(login()),
    visitors: openPool(login()),
    service: openPool(login()),
  };
  return {
    ...pools,
    login,
    close: async () => {
      await Promise.all(Object.values(pools).map((one) => one.end()));
    },
  };
}
