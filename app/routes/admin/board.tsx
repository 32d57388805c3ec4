import { data, href, useNavigation } from "react-router";
import { redirectWithToast } from "remix-toast";
import { z } from "zod";
import { buttonClass } from "#app/components/button.ts";
import type { Notice } from "#app/components/toast-store.ts";
import { PageNotice } from "#app/components/toasts.tsx";
import { backupFault } from "#app/lib/backup-text.ts";
import { logFault } from "#app/lib/log.server.ts";
import { sortMessages } from "#app/models/inbox-work.server.ts";
import { parseCursor, readInbox } from "#app/models/inbox.server.ts";
import { siteContext } from "#app/session/site-context.server.ts";
import { getSupabase } from "#app/session/supabase.server.ts";
import type { Route } from "./+types/board.ts";
import { BoardHeader } from "./board-header.tsx";
import { ClosedBoard, LoadingCard } from "./cards.tsx";
import { MessageList } from "./message-list.tsx";
import { keepList, useLastRead } from "./use-last-read.ts";
import { noteLoad, useLiveMessages } from "./use-live-messages.tsx";

const acceptSchema = z.object({ id: z.uuid() });

export async function loader({ context, url }: Route.LoaderArgs) {
  const cursor = parseCursor(url.searchParams.get("before"));
  const spam = url.searchParams.get("box") === "spam";
  try {
    const { state, page } = await readInbox(getSupabase(context), {
      box: spam ? "spam" : "all",
      cursor,
    });
    const backups = state.owner === "me" && (await context.get(siteContext).backend.backups?.());
    return {
      board: { state, page, spam, isNewest: cursor === undefined },
      fault: backups ? backupFault(backups, Date.now()) : undefined,
    };
  } catch (error) {
    logFault("The inbox was not read", error);
    return data({ board: undefined, fault: undefined }, { status: 503 });
  }
}

// One object for all retries, so that one toast is shown.
const loadFailure: Notice = {
  type: "error",
  message: "خطأ",
  description: "فشل تحميل الرسائل",
};

export async function action({ request, context }: Route.ActionArgs) {
  const form = acceptSchema.safeParse(Object.fromEntries(await request.formData()));
  if (!form.success) {
    throw data(null, { status: 400, statusText: "Bad Request" });
  }
  const ids = [form.data.id];
  const isDone = (await sortMessages(getSupabase(context), { action: "unspam", ids })).length > 0;
  return redirectWithToast(
    `${href("/admin")}?box=spam`,
    isDone
      ? { type: "success", message: "نُقلت الرسالة إلى لوحة الرسائل" }
      : { type: "error", message: "خطأ", description: "لم تُنقل الرسالة. لعلها لم تعد هنا." },
  );
}

export const clientMiddleware: Route.ClientMiddlewareFunction[] = [noteLoad, keepList];

/** Scripts start with the page: the board is live. */
export const handle = { live: true };

export const meta: Route.MetaFunction = () => [
  { title: "لوحة الرسائل" },
  { name: "robots", content: "noindex" },
];

export default function Board({ loaderData, matches: [root] }: Route.ComponentProps) {
  const board = useLastRead(loaderData.board, root.loaderData);
  const isOpen = board?.state.may_read === true;
  const takesLive = board !== undefined && board.isNewest && !board.spam;
  const { live, ...socket } = useLiveMessages(board, isOpen, takesLive);
  const { location: next } = useNavigation();
  return (
    <div className="mx-auto max-w-3xl p-4 pb-24 sm:py-8">
      <BoardHeader {...socket} isStale={board !== undefined && !loaderData.board} />
      <PageNotice toast={board ? undefined : loadFailure} />
      <main className="mt-6 grid gap-4">
        {loaderData.fault !== undefined && <BackupFault text={loaderData.fault} />}
        {!board && <LoadingBoard />}
        {board && !isOpen && <ClosedBoard />}
        {isOpen && next?.pathname === href("/admin") && <LoadingCard />}
        {isOpen && <MessageList {...board} live={live} />}
      </main>
    </div>
  );
}

function BackupFault({ text }: { text: string }) {
  return (
    <p className="rounded-xl border border-field bg-tint px-4 py-3">
      {text}{" "}
      <a href={`${href("/account")}#backups`} className="text-brand underline">
        النسخ الاحتياطي
      </a>
    </p>
  );
}

/** Shown while loading fails. The link is for browsers without scripts. */
function LoadingBoard() {
  return (
    <>
      <LoadingCard />
      <a href={href("/admin")} className={buttonClass("quiet", "justify-self-center")}>
        إعادة المحاولة
      </a>
    </>
  );
}
