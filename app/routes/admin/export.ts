import { data, href, type MiddlewareFunction, redirect } from "react-router";
import { redirectWithToast } from "remix-toast";
import { z } from "zod";
import { log, logFault } from "#app/lib/log.server.ts";
import { exportFormats, exportText, fileHeaders } from "#app/models/export.server.ts";
import { boxes } from "#app/models/inbox-limits.ts";
import { exportPages, readInboxState } from "#app/models/inbox.server.ts";
import { readQuery } from "#app/models/search.server.ts";
import { getAccount, requireAccount } from "#app/session/guards.server.ts";
import { getLastingSupabase, getSupabase } from "#app/session/supabase.server.ts";
import type { Route } from "./+types/export.ts";
import { readView } from "./board-view.server.ts";
import { textStream } from "./text-stream.server.ts";

const askedSchema = z.object({
  box: z.enum([...boxes, "any"], "هذا الصندوق غير معروف"),
  format: z.enum(exportFormats, "صيغة الملف غير معروفة"),
});

// How many exports of one account may run at the same time.
const maxRunning = 3;
const running = new Map<string, number>();

/** Sends `next` with the board to /auth, because a download is no page. */
const requireReader: MiddlewareFunction<Response> = (args, next) =>
  requireAccount({ ...args, url: boardUrl(args.url) }, next);

export const middleware = [requireReader];

/** Streams the messages of a box, or of a search in it, as a file. */
export async function loader({ request, context, url }: Route.LoaderArgs) {
  // For a data request, which has a path of its own, React Router would read the whole file into memory.
  if (new URL(request.url).pathname !== url.pathname) {
    throw data(null, { status: 404 });
  }
  const asked = askedSchema.safeParse({
    box: url.searchParams.get("box") ?? "all",
    format: url.searchParams.get("format"),
  });
  if (!asked.success) {
    const text = asked.error.issues[0]?.message;
    return new Response(text, {
      status: 400,
      headers: { "Content-Type": "text/plain; charset=utf-8" },
    });
  }
  const { box, format } = asked.data;
  const search = readQuery(url.searchParams);
  const board = pathOf(boardUrl(url));
  if (search?.error !== undefined) {
    return redirect(board);
  }
  const { id: account } = getAccount(context);
  const headers = fileHeaders(box, format);
  const { may_read: mayRead } = await readInboxState(getSupabase(context));
  if (!mayRead) {
    return redirect(href("/admin"));
  }
  if (request.method === "HEAD") {
    return new Response(null, { headers });
  }
  const end = begin(account);
  if (!end) {
    return redirectWithToast(
      board,
      notBegun("لك تنزيلات أخرى لم تنته. أعد المحاولة حين ينتهي أحدها."),
    );
  }
  try {
    const pages = exportPages(await getLastingSupabase(context), { box, query: search?.query });
    // Read before the response starts, so that a fault of the database is a toast.
    const first = await pages.next();
    const texts = exportText(resumed(first, pages), format);
    log.info("An export began", { account, box, format, search: search !== undefined });
    return new Response(textStream(texts, end), { headers });
  } catch (error) {
    end(error);
    return redirectWithToast(board, notBegun("تعذّرت قراءة الرسائل. أعد المحاولة بعد قليل."));
  }
}

const notBegun = (description: string) =>
  ({ type: "error", message: "لم يبدأ التنزيل", description }) as const;

/** Counts an export. Returns the function that ends it, or undefined if too many are running. */
function begin(account: string): ((error?: unknown) => void) | undefined {
  const others = running.get(account) ?? 0;
  if (others === maxRunning) {
    return undefined;
  }
  running.set(account, others + 1);
  let isOver = false;
  return (error) => {
    if (isOver) {
      return;
    }
    isOver = true;
    const left = (running.get(account) ?? 1) - 1;
    if (left > 0) {
      running.set(account, left);
    } else {
      running.delete(account);
    }
    if (error !== undefined) {
      logFault("An export broke off", error);
    }
  };
}

async function* resumed<Page>(
  first: IteratorResult<Page>,
  rest: AsyncGenerator<Page>,
): AsyncGenerator<Page> {
  if (!first.done) {
    yield first.value;
    yield* rest;
  }
}

/** The board with the box and search of a download. */
function boardUrl(url: URL): URL {
  const { list } = readView(url);
  return new URL(list ? `${href("/admin")}?${list}` : href("/admin"), url);
}

const pathOf = ({ pathname, search }: URL) => pathname + search;
