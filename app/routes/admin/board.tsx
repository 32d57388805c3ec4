import { useState } from "react";
import { data, href, useLocation, useNavigation } from "react-router";
import { buttonClass } from "#app/components/button.ts";
import type { ToastMessage } from "#app/components/toast-store.ts";
import { PageToast } from "#app/components/toasts.tsx";
import { logFault } from "#app/lib/log.server.ts";
import { boxNames } from "#app/models/inbox-limits.ts";
import { replyTemplates } from "#app/models/reply.server.ts";
import { refuseForm } from "#app/session/refused-form.server.ts";
import { getSupabase } from "#app/session/supabase.server.ts";
import type { Route } from "./+types/board.ts";
import { changeInbox } from "./board-actions.server.ts";
import { readFaults } from "./board-faults.server.ts";
import { BoardHeader } from "./board-header.tsx";
import { readList } from "./board-list.server.ts";
import { readResult, readView } from "./board-view.server.ts";
import { ClosedBoard, LoadingCard } from "./cards.tsx";
import { Fault } from "./fault.tsx";
import { freshTitle, showsNew } from "./fresh.ts";
import { KeepPlace } from "./keep-place.tsx";
import { MessageList } from "./message-list.tsx";
import { recordShown, recordSeen } from "./record-seen.server.ts";
import { keepList, useLastRead } from "./use-last-read.ts";
import { markLoad, useLiveMessages } from "./use-live-messages.tsx";

const title = "لوحة الرسائل";

export async function loader({ request, context, url }: Route.LoaderArgs) {
  const view = readView(url);
  const { box, list, here } = view;
  try {
    const shown = await readList(getSupabase(context), view);
    const isNewest = view.cursor === undefined;
    const isOwner = shown.state.owner === "me";
    const replies = isOwner ? replyTemplates() : [];
    const board = { box, list, here, ...shown, isNewest, replies };
    const [faults] = await Promise.all([
      isOwner && shown.state.may_read ? readFaults(context) : [],
      recordShown(getSupabase(context), request, board),
    ]);
    const result = isOwner ? readResult(context, url) : undefined;
    const loaded = { board, result, faults };
    return data(loaded, { status: shown.search?.error === undefined ? 200 : 400 });
  } catch (error) {
    logFault("The inbox was not read", error);
    refuseForm(context, 500);
    return data({ board: undefined, result: undefined, faults: [] }, { status: 503 });
  }
}

// One object for all retries, so that one toast is shown for them.
const loadFailure: ToastMessage = {
  type: "error",
  message: "خطأ",
  description: "فشل تحميل الرسائل",
};

export async function action({ request, context, url }: Route.ActionArgs) {
  const form = await request.formData();
  const seen = form.get("seen");
  return seen === null ? changeInbox(form, context, url) : recordSeen(getSupabase(context), seen);
}

export const clientMiddleware: Route.ClientMiddlewareFunction[] = [markLoad, keepList];

/** Scripts start with the page, for the live updates. */
export const handle = { live: true };

export const meta: Route.MetaFunction = ({ loaderData }) => {
  const { box = "all", search } = loaderData?.board ?? {};
  const place = search ? "بحث" : boxNames[box];
  const name = box === "all" && !search ? title : `${place} · ${title}`;
  return [
    { title: freshTitle(name, loaderData?.board?.state.fresh ?? 0) },
    { name: "robots", content: "noindex" },
  ];
};

export default function Board({ loaderData, actionData, matches: [root] }: Route.ComponentProps) {
  const board = useLastRead(loaderData.board, root.loaderData);
  const answer = useAnswer(actionData);
  const isOpen = board?.state.may_read === true;
  const takesLive = board !== undefined && showsNew(board);
  const { live, ...socket } = useLiveMessages(board, loaderData.result, isOpen, takesLive);
  const { location: next, formMethod } = useNavigation();
  const isLeaving = next?.pathname === href("/admin") && formMethod !== "POST";
  return (
    <KeepPlace>
      <div className="mx-auto max-w-6xl px-3 pt-2 pb-24 sm:px-4 sm:pt-5">
        <BoardHeader {...socket} isStale={board !== undefined && !loaderData.board} />
        <PageToast toast={board ? undefined : loadFailure} />
        <p role="status" className="sr-only">
          {board && boxNames[board.box]}
        </p>
        <main className="mt-2 grid grid-cols-1 gap-2 sm:mt-3 sm:gap-3">
          {/* After a broken connection there are none (keepList). */}
          {loaderData.faults?.map((fault) => (
            <Fault key={fault.to} {...fault} />
          ))}
          {!board && <LoadingBoard />}
          {board && !isOpen && <ClosedBoard />}
          {isOpen && isLeaving && <LoadingCard />}
          {isOpen && (
            <MessageList {...board} live={live} result={loaderData.result} answer={answer} />
          )}
        </main>
      </div>
    </KeepPlace>
  );
}

/** Shown while loading fails. The link is for pages without scripts. */
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

/** Keeps an action's answer until the next navigation: the router drops it on a revalidation. */
function useAnswer<Answer>(answer: Answer | undefined): Answer | undefined {
  const { key } = useLocation();
  const [last, setLast] = useState({ key, answer });
  if (answer !== undefined && answer !== last.answer) {
    setLast({ key, answer });
  }
  return answer ?? (last.key === key ? last.answer : undefined);
}
