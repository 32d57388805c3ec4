import {
  data,
  href,
  type ShouldRevalidateFunctionArgs,
  useNavigation,
  useSearchParams,
} from "react-router";
import { isOffline, keepForm } from "#app/hooks/keep-form.ts";
import { logFault } from "#app/lib/log.server.ts";
import { boxes, boxNames, boxOf } from "#app/models/boxes.ts";
import { getSupabase } from "#app/session/clients.server.ts";
import { getAccount } from "#app/session/guards.server.ts";
import { refuseForm } from "#app/session/refused-form.server.ts";
import type { Route } from "./+types/board.ts";
import { changeInbox } from "./board-actions.server.ts";
import { readBoard } from "./board-data.server.ts";
import { readFaults } from "./board-faults.server.ts";
import { boardLink, keepsList } from "./board-url.ts";
import { readView } from "./board-view.server.ts";
import { Dock } from "./dock.tsx";
import { readResult } from "./done.ts";
import { boardTitle } from "./fresh.ts";
import { Header } from "./header.tsx";
import { keepBoard, unread } from "./keep-board.ts";
import { Keys } from "./keys.tsx";
import { MessageList } from "./message-list.tsx";
import { hintOf } from "./message-texts.ts";
import { OwnerNotices } from "./owner-notices.tsx";
import { Pane } from "./pane.tsx";
import { ClosedBoard, FirstPlace, LoadingPlace, UnownedNote } from "./places.tsx";
import { recordShown } from "./record-seen.server.ts";
import { SearchForm } from "./search-form.tsx";
import { failureOf, useAnswer } from "./use-answer.ts";
import { useLive } from "./use-live.tsx";
import { useNextStep } from "./use-next-step.ts";
import { useOpen } from "./use-open.ts";
import { useSelection, wholeOf } from "./use-selection.ts";

export async function loader({ request, context, url }: Route.LoaderArgs) {
  const view = readView(url);
  try {
    // The database shows the faults to the owner alone.
    const [board, found] = await Promise.all([readBoard(context, view), readFaults(context)]);
    const { owner, may_read: mayRead } = board.state;
    const faults = owner === "me" && mayRead ? found : [];
    await recordShown(getSupabase(context), request, board);
    const result = owner === "me" ? readResult(url) : undefined;
    const loaded = { board, result, faults };
    return data(loaded, { status: board.search?.error === undefined ? 200 : 400 });
  } catch (error) {
    // A refusal of the guard is no fault.
    await getAccount(context);
    logFault("The inbox was not read", error);
    refuseForm(context, 503);
    return data(unread, { status: 503 });
  }
}

export async function action({ request, context, url }: Route.ActionArgs) {
  return changeInbox(await request.formData(), context, url);
}

export const clientLoader = (args: Route.ClientLoaderArgs) => keepBoard(args);

export const clientAction = keepForm;

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: boardTitle(loaderData?.board) },
  { name: "description", content: "رسائل من كتبوا لك من صفحة التواصل." },
  { name: "robots", content: "noindex" },
];

/** The list's data hold all that can be opened, so opening and selecting need no request. */
export function shouldRevalidate(change: ShouldRevalidateFunctionArgs) {
  const { formMethod, currentUrl, nextUrl, defaultShouldRevalidate } = change;
  return formMethod === undefined && keepsList(currentUrl, nextUrl)
    ? false
    : defaultShouldRevalidate;
}

export default function Board({ loaderData, actionData }: Route.ComponentProps) {
  const answer = useAnswer(actionData);
  const [params] = useSearchParams();
  const { board, live, arrived, pending, page, counts, readAgain, ...socket } = useLive(
    loaderData.board,
  );
  const mayRead = board?.state.may_read === true;
  const { location: next, formMethod } = useNavigation();
  const isLeaving = next?.pathname === href("/admin") && formMethod !== "POST";
  const { messages } = page;
  const open = useOpen(mayRead ? board : undefined, messages, readAgain);
  useNextStep(messages, board?.now, readAgain);
  const selection = useSelection(
    messages,
    params.get("select") === "1",
    answer && "ids" in answer ? answer.ids : undefined,
  );
  const { faults } = loaderData;
  const result = loaderData.result?.done === params.get("done") ? loaderData.result : undefined;
  const canSort = mayRead && board.state.owner === "me";
  const isEmpty = mayRead && messages.length === 0 && open.state === "none";
  const isFirst = isEmpty && counts !== undefined && boxes.every((box) => counts[box] === 0);
  const box = board ? (mayRead ? board.box : undefined) : boxOf(params.get("box"));
  const url = `${href("/admin")}${boardLink(board?.pageQuery ?? "", { open: open.id }).search}`;
  const chosen = canSort ? selection : undefined;
  const isSelecting = messages.length > 0 && chosen?.isOn;
  return (
    <div className="min-h-svh bg-surface">
      <div
        data-open={open.state === "none" ? undefined : ""}
        data-select={isSelecting ? "" : undefined}
        data-empty={isFirst || (board && !mayRead) ? "" : undefined}
        className="board mx-auto max-lg:max-w-176 lg:grid lg:min-h-svh"
      >
        {messages.length > 0 && (
          <a href="#list" className={skipClass}>
            إلى الرسائل
          </a>
        )}
        <Header
          {...socket}
          {...{ box, counts }}
          isStale={board !== undefined && !loaderData.board}
        />
        <div role="status" className="sr-only">
          {board && boxNames[board.box]}
        </div>
        <main aria-busy={isLeaving} className="lg:contents">
          <div className={listClass}>
            <OwnerNotices faults={faults} lacks={board?.lacks ?? []} away={board?.away} />
            {mayRead && board.state.owner === "nobody" && <UnownedNote />}
            {box && !isFirst && (
              <SearchForm
                box={box}
                list={board?.list ?? ""}
                pageQuery={board?.pageQuery ?? ""}
                search={board?.search}
                messages={messages}
                selection={messages.length > 0 ? chosen : undefined}
              />
            )}
            {mayRead && (
              <Dock
                box={board.box}
                result={result}
                failure={failureOf(answer, open.message?.id)}
                needsSignIn={isOffline(answer) && answer.needsSignIn}
                isLast={isEmpty}
                selection={chosen}
                whole={wholeOf(board, counts, messages)}
                action={url}
              />
            )}
            {!board && <LoadingPlace />}
            {board && !mayRead && <ClosedBoard />}
            {isFirst && <FirstPlace />}
            {mayRead && !isFirst && (
              <MessageList
                {...board}
                {...{ live, arrived, pending, page, open }}
                selection={chosen}
                tip={board.list === "" ? faults.find(({ isTip }) => isTip) : undefined}
              />
            )}
          </div>
          {mayRead && (
            <Pane
              {...board}
              {...{ open, messages, canSort, answer, result }}
              hint={hintOf(board, counts?.waiting)}
              action={url}
              end={"end" in loaderData ? loaderData.end : undefined}
            />
          )}
        </main>
        {mayRead && (
          <Keys {...{ messages, open }} selection={chosen} undo={result?.undo} action={url} />
        )}
      </div>
    </div>
  );
}

const skipClass =
  "absolute start-3 top-1 z-5 rounded-xl bg-brand px-4 py-2 text-md text-on-brand not-focus:[clip-path:inset(50%)] max-lg:opened:hidden print:hidden";

// On a phone an open message takes its place, and only the dock is left of it.
const listClass =
  "relative pb-36 max-lg:opened:pb-0 max-lg:opened:[&>:not(.dock)]:hidden lg:border-e lg:border-line lg:bg-sunk lg:bare:col-[-3/-1] lg:bare:border-0 lg:bare:bg-surface print:border-0 print:opened:hidden";
