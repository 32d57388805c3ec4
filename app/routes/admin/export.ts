import pLimit from "p-limit";
import { data, href, type MiddlewareFunction, redirect } from "react-router";
import { redirectWithToast } from "remix-toast";
import { z } from "zod";
import { arabicNumber } from "#app/lib/arabic-number.ts";
import { log, logFault } from "#app/lib/log.server.ts";
import { boxes } from "#app/models/boxes.ts";
import { exportFormats, exportSheet, fileHeaders, jsonLines } from "#app/models/export.server.ts";
import type { Scope } from "#app/models/inbox-forms.server.ts";
import { inboxLimits } from "#app/models/inbox-limits.ts";
import { exportPages, readInboxState } from "#app/models/inbox.server.ts";
import { readQuery } from "#app/models/search.server.ts";
import { getLastingSupabase, getSupabase } from "#app/session/clients.server.ts";
import { getAccount, requireAccount } from "#app/session/guards.server.ts";
import { siteContext } from "#app/session/site-context.server.ts";
import type { Site } from "#app/site-contract.server.ts";
import type { Route } from "./+types/export.ts";
import { readView } from "./board-view.server.ts";

const askedSchema = z.object({
  box: z.enum([...boxes, "any"], "هذا الصندوق غير معروف"),
  format: z.enum(exportFormats, "صيغة الملف غير معروفة"),
});

type MessagePages = ReturnType<typeof exportPages>;

/** Sends a visitor to /auth with the board as `next`, because a download is not a page to come back to. */
const requireReader: MiddlewareFunction<Response> = (args, next) =>
  requireAccount({ ...args, url: boardUrl(args.url) }, next);

export const middleware = [requireReader];

/** Sends the messages of a box, or of a search in it, as a file: a workbook whole, JSON lines as a stream. */
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
  const { id: account } = await getAccount(context);
  const headers = fileHeaders(box, format);
  try {
    const { may_read: mayRead } = await readInboxState(getSupabase(context));
    if (!mayRead) {
      return redirect(href("/admin"));
    }
    if (request.method === "HEAD") {
      return new Response(null, { headers });
    }
    const pages = exportPages(await getLastingSupabase(context), { box, query: search?.query });
    const file =
      format === "xlsx"
        ? await workbook(box, pages, context.get(siteContext))
        : await streamedLines(pages);
    if (!file) {
      return redirectWithToast(board, {
        type: "info",
        message: `هنا أكثر من ${arabicNumber(inboxLimits.workbook)} رسالة`,
        description: "لا يتسع لها جدول Excel، فنزّلها بصيغة JSON.",
      });
    }
    log.info("An export began", { account, box, format, search: search !== undefined });
    return new Response(file, { headers });
  } catch (error) {
    logFault("An export did not begin", error);
    return redirectWithToast(board, {
      type: "error",
      message: "لم يبدأ التنزيل",
      description: "تعذّرت قراءة الرسائل. أعد المحاولة بعد قليل.",
    });
  }
}

// Each workbook takes memory, and a link that is pressed twice asks for two.
const oneAtATime = pLimit(1);

/** Returns undefined if there are too many messages. */
const workbook = (box: Scope, pages: MessagePages, { makeWorkbook }: Site) =>
  oneAtATime(async () => {
    const sheet = await exportSheet(box, pages);
    return sheet && makeWorkbook(sheet);
  });

/** Reads the first page before the response starts, so that a fault of the database can be a toast. */
async function streamedLines(pages: MessagePages) {
  const first = await pages.next();
  return jsonLines(resumed(first, pages));
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
