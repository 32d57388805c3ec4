import { acceptsPage } from "#app/lib/accepts-page.ts";
import { addressKey, networkKey } from "#app/server/http/address.ts";
import { FairQueue } from "#app/server/http/fair-queue.ts";
import type { SiteHandler } from "#app/site.ts";
import { busyPage } from "./busy-page.ts";

// About half a second of work. Includes pages that wait for the database.
const places = { most: 100, mostOfOne: 20 };
const maxWaiting = 80;
// A network has as many addresses as it likes, so it has the places of one, and ten times its queue.
const maxWaitingOfNetwork = 10 * maxWaiting;

interface Asked {
  address: string;
  accept: string | null | undefined;
  /** Whether it has a visitor's text, which no other answer would keep. */
  hasForm: boolean;
}

/**
 * Handles the requests of all addresses and networks in turn, refused ones like others. Answers 503
 * with Retry-After to an address or network whose requests fill its queue. Forms are always handled.
 */
export function takeTurns({ handle, refuse }: SiteHandler): SiteHandler {
  const addresses = new FairQueue({ ...places, most: Infinity });
  const networks = new FairQueue(places);
  const inTurn = async (
    { address, accept, hasForm }: Asked,
    work: () => Promise<Response>,
  ): Promise<Response> => {
    const [client, network] = [addressKey(address), networkKey(address)];
    const isFull =
      addresses.waiting(client) >= maxWaiting || networks.waiting(network) >= maxWaitingOfNetwork;
    if (isFull && !hasForm) {
      const { html, headers } = busyPage;
      return new Response(acceptsPage(accept) ? html : null, { status: 503, headers });
    }
    return addresses.run(client, () => networks.run(network, work));
  };
  return {
    handle: (request, visitor) =>
      inTurn(
        {
          address: visitor.address,
          accept: request.headers.get("Accept"),
          hasForm: request.method === "POST",
        },
        () => handle(request, visitor),
      ),
    refuse: (status, asked) =>
      inTurn({ ...asked, hasForm: asked.form !== "" }, () => refuse(status, asked)),
  };
}
