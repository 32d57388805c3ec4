import { href } from "react-router";
import { holdsOther, isHeld, type SessionEnd } from "#app/hooks/held-page.ts";
import { inTime, isAway, isBroken } from "#app/hooks/reachable.ts";
import type { Route } from "./+types/board.ts";
import { listOf } from "./board-url.ts";

/** The data of a board that could not be read. */
export const unread = { board: undefined, result: undefined, faults: [] };

/**
 * Reads the board from the site. A load whose connection broke is treated like one that failed on the server: the
 * list stays. It also stays if the session has ended while a note is not saved.
 */
export async function keepBoard({ request, serverLoader }: Route.ClientLoaderArgs) {
  const begunAt = performance.now();
  const isReading = listOf(location.search) === listOf(new URL(request.url).search);
  const { board, ...loaded } = await inTime(serverLoader(), (error) => {
    if (isAway(error) || isBroken(error)) {
      return unread;
    }
    if (error instanceof Response && isReading && isHeld()) {
      return { ...unread, end: endOf(error) };
    }
    throw error;
  });
  return isReading && board && holdsOther(board.account)
    ? { ...unread, end: "account" as const }
    : { ...loaded, board: board && { ...board, begunAt } };
}

/** Why a reading is answered with the way to the sign-in. */
const endOf = ({ headers }: Response): SessionEnd =>
  headers.get("Location")?.startsWith(href("/auth/code")) ? "code" : "ended";
