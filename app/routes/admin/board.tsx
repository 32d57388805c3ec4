import { useState } from "react";
import { data, href, useLocation, useNavigation } from "react-router";
import type { Handle } from "#app/components/handle.ts";
import type { ToastMessage } from "#app/components/toast-store.ts";
import { PageToast } from "#app/components/toasts.tsx";
import { keepForm } from "#app/hooks/keep-form.ts";
import { isUnreachable } from "#app/hooks/reachable.ts";
import { logFault } from "#app/lib/log.server.ts";
import { type Box, boxes, boxNames } from "#app/models/inbox-limits.ts";
import { mergeMessages } from "#app/models/inbox.ts";
import { replyTemplates } from "#app/models/reply.server.ts";
import { hasBoardKeys } from "#app/session/board-keys.server.ts";
import { refuseForm } from "#app/session/refused-form.server.ts";
import { siteContext } from "#app/session/site-context.server.ts";
import { getSupabase } from "#app/session/supabase.server.ts";
import type { Route } from "./+types/board.ts";
import { changeInbox } from "./board-actions.server.ts";
import { readFaults } from "./board-faults.server.ts";
import { BoardHeader } from "./board-header.tsx";
import { readList } from "./board-list.server.ts";
import { boardStore } from "./board-store.ts";
import { readResult, readView } from "./board-view.server.ts";
import { ClosedBoard, LoadingCard } from "./cards.tsx";
import { confirmShownDate, showDateDoubt } from "./date-doubt.server.ts";
import { DateDoubt } from "./date-doubt.tsx";
import { Fault } from "./fault.tsx";
import { freshTitle, showsNew } from "./fresh.ts";
import { KeepPlace } from "./keep-place.tsx";
import { EmptyPane, Keys } from "./keys.tsx";
import { MessageList } from "./message-list.tsx";
import { readLacks } from "./readiness.server.ts";
import { Readiness } from "./readiness.tsx";
import { recordShown, recordSeen } from "./record-seen.server.ts";
import { SearchForm } from "./search-form.tsx";
import { useLastRead } from "./use-last-read.ts";
import { useLiveMessages } from "./use-live-messages.tsx";

const title = "لوحة الرسائل";

export async function loader({ request, context, url }: Route.LoaderArgs) {
  const view = readView(url);
  const { box, list, here, open } = view;
  try {
    const shown = await readList(getSupabase(context), view);
    const isNewest = view.cursor === undefined;
    const isOwner = shown.state.owner === "me";
    const replies = isOwner ? replyTemplates() : [];
    const owns = isOwner && shown.state.may_read;
    const lacks = owns ? readLacks(context) : [];
    const hasKeys = hasBoardKeys(request, context.get(siteContext).secure);
    const board = { box, list, here, open, hasKeys, ...shown, isNewest, replies, lacks };
    const [faults, doubt] = await Promise.all([
      owns ? readFaults(context) : [],
      owns ? showDateDoubt(context) : undefined,
      recordShown(getSupabase(context), request, board),
    ]);
    const result = isOwner ? readResult(context, url) : undefined;
    const loaded = { board, result, faults, doubt };
    return data(loaded, { status: shown.search?.error === undefined ? 200 : 400 });
  } catch (error) {
    logFault("The inbox was not read", error);
    refuseForm(context, 500);
    return data(unread, { status: 503 });
  }
}

const unread = { board: undefined, result: undefined, faults: [], doubt: undefined };

// One object for all retries, so that one toast is shown for them.
const loadFailure: ToastMessage = {
  type: "error",
  message: "خطأ",
  description: "فشل تحميل الرسائل",
};

export async function action({ request, context, url }: Route.ActionArgs) {
  const form = await request.formData();
  const seen = form.get("seen");
  if (form.has("date")) {
    return confirmShownDate(form.get("date"), context);
  }
  return seen === null ? changeInbox(form, context, url) : recordSeen(getSupabase(context), seen);
}

/** A load whose connection broke is like one that failed on the server: the list stays. */
export async function clientLoader({ serverLoader }: Route.ClientLoaderArgs) {
  boardStore.startLoad();
  try {
    return await serverLoader();
  } catch (error) {
    if (isUnreachable(error)) {
      return unread;
    }
    throw error;
  }
}

export const clientAction = keepForm;

/** Scripts start with the page, for the live updates. */
export const handle: Handle = { scripts: "at-once" };

export const meta: Route.MetaFunction = ({ loaderData }) => {
  const { box = "all", search } = loaderData?.board ?? {};
  const place = search ? "بحث" : boxNames[box];
  const name = box === "all" && !search ? title : `${place} · ${title}`;
  return [
    { title: freshTitle(name, loaderData?.board?.state.fresh ?? 0) },
    { name: "robots", content: "noindex" },
  ];
};

export default function Board({ loaderData, actionData }: Route.ComponentProps) {
  const board = useLastRead(loaderData.board);
  const answer = useAnswer(actionData);
  const isOpen = board?.state.may_read === true;
  const takesLive = board !== undefined && showsNew(board);
  const { live, ...socket } = useLiveMessages(board, isOpen, takesLive);
  const { location: next, formMethod } = useNavigation();
  const { search } = useLocation();
  const isLeaving = next?.pathname === href("/admin") && formMethod !== "POST";
  const { state, page } = board ?? {};
  const merged = page && mergeMessages(page, live);
  const counts = state &&
    merged && {
      ...state,
      all: state.messages + merged.arrived,
      waiting: state.waiting + merged.arrived,
    };
  const box = board ? (isOpen ? board.box : undefined) : boxOf(search);
  const { faults } = loaderData;
  const tip = faults.find(({ isTip }) => isTip);
  return (
    <KeepPlace>
      <div className={board && !isOpen ? "board closed" : "board"}>
        <div className="side">
          <BoardHeader
            {...socket}
            {...{ box, counts }}
            isStale={board !== undefined && !loaderData.board}
            hasTip={tip !== undefined}
          />
          <PageToast toast={board ? undefined : loadFailure} />
          <p role="status" className="sr-only">
            {board && boxNames[board.box]}
          </p>
          <main className="column" aria-busy={isLeaving}>
            {loaderData.doubt && <DateDoubt {...loaderData.doubt} />}
            {faults.map((fault) => !fault.isTip && <Fault key={fault.to} {...fault} />)}
            {board && board.lacks.length > 0 && <Readiness lacks={board.lacks} />}
            {box && (
              <SearchForm box={box} search={board?.search} canSelect={state?.owner === "me"} />
            )}
            {!board && <LoadingBoard />}
            {board && !isOpen && <ClosedBoard />}
            {isOpen && merged && (
              <MessageList
                {...board}
                {...{ live, answer, tip }}
                page={merged}
                result={loaderData.result}
              />
            )}
            {isOpen && <EmptyPane hasKeys={board.hasKeys} />}
          </main>
        </div>
        {isOpen && board.hasKeys && <Keys />}
      </div>
    </KeepPlace>
  );
}

/** The box of a list that cannot be read. */
const boxOf = (search: string): Box =>
  boxes.find((box) => box === new URLSearchParams(search).get("box")) ?? "all";

/** Shown while loading fails. The link is for pages without scripts. */
function LoadingBoard() {
  return (
    <>
      <LoadingCard />
      <a href={href("/admin")} className="list-link">
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
