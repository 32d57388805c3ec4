import { Link } from "react-router";
import { buttonClass } from "#app/components/button.ts";
import { isOffline } from "#app/hooks/offline-form.ts";
import type { Scope } from "#app/models/inbox-forms.server.ts";
import type { Box } from "#app/models/inbox-limits.ts";
import {
  cursorText,
  type BoardMessage,
  type InboxPage,
  mergeMessages,
  type ReplyTemplate,
  type MessageAction,
} from "#app/models/inbox.ts";
import type { BoardSearch } from "./board-list.server.ts";
import type { BoardNotice, BoardResult } from "./board-view.server.ts";
import { boardPath, BoxNav } from "./box-nav.tsx";
import { EmptyBox, UnownedNote } from "./cards.tsx";
import { isFirstSeen, showsNew } from "./fresh.ts";
import { ListLinks } from "./list-links.tsx";
import { MessageCard } from "./message-card.tsx";
import { NewMessagesDivider } from "./new-messages-divider.tsx";
import { SearchForm } from "./search-form.tsx";
import { InertDefaultButton, SortBar } from "./sort-form.tsx";
import { SortNotice } from "./sort-notice.tsx";
import { useFresh } from "./use-fresh.ts";
import { useUnsavedCards } from "./use-unsaved-cards.ts";

interface Props {
  state: Record<Exclude<Box, "all"> | "messages" | "fresh", number> & {
    owner: string;
    seen_at: string | null;
  };
  page: InboxPage;
  live: readonly BoardMessage[];
  box: Scope;
  bulk: MessageAction[];
  empty: string;
  /** The query of the list; `here` adds the page. */
  list: string;
  here: string;
  isNewest: boolean;
  replies: ReplyTemplate[];
  search?: BoardSearch | undefined;
  notice: BoardNotice | undefined;
  result: BoardResult | undefined;
}

export function MessageList({ state, page, live, ...view }: Props) {
  const { box, list, here, isNewest, search, notice, result } = view;
  const { messages, hasOlder, arrived } = mergeMessages(page, live);
  const last = messages.at(-1);
  const older = search?.stoppedAt ?? (hasOlder && last && cursorText(last));
  const isTop = showsNew(view);
  const since = useFresh({ state, live, messages, hasOlder, here, isTop });
  const counts = { ...state, all: state.messages + arrived, waiting: state.waiting + arrived };
  const canSort = state.owner === "me";
  const isOfNote = messages.some(({ id }) => id === result?.values?.id);
  const isBeside = messages.some(({ id }) => id === notice?.beside);
  const failure = isOfNote ? undefined : isOffline(result) ? result.reason : result?.failure;
  return (
    <>
      {state.owner === "nobody" && <UnownedNote />}
      <BoxNav current={box} counts={counts} />
      <SearchForm box={box} search={search} />
      {(failure || !isBeside) && <SortNotice notice={notice} failure={failure} />}
      {!isNewest && (
        <Link to={boardPath(list)} className={buttonClass("quiet", "justify-self-center")}>
          أحدث الرسائل
        </Link>
      )}
      {canSort && <InertDefaultButton />}
      {messages.length === 0 && !older && !search?.error && <EmptyBox text={view.empty} />}
      <Cards key={here} messages={messages} {...view} since={since} canSort={canSort} />
      {older && (
        <Link
          to={boardPath([list, `before=${older}`].filter(Boolean).join("&"))}
          className={buttonClass("quiet", "justify-self-center")}
        >
          {search?.stoppedAt ? "ابحث في الأقدم" : "رسائل أقدم"}
        </Link>
      )}
      {messages.length > 0 && (
        <ListLinks box={box} list={list} isSearch={search !== undefined} canEmpty={canSort} />
      )}
      {canSort && <SortBar bulk={view.bulk} here={here} />}
    </>
  );
}

interface CardsProps extends Pick<Props, "here" | "replies" | "notice" | "result"> {
  messages: BoardMessage[];
  /** Messages up to this time were seen on earlier visits. */
  since: string;
  canSort: boolean;
}

function Cards({ messages, since, notice, ...card }: CardsProps) {
  const shown = useUnsavedCards(messages, notice);
  return (
    shown.length > 0 && (
      <ol aria-label="الرسائل" className="cards">
        {shown.map(({ message, isGone }, index) => (
          <li key={message.id}>
            {isFirstSeen(shown[index - 1]?.message, message, since) && <NewMessagesDivider />}
            {message.id === notice?.beside && <SortNotice notice={notice} />}
            <MessageCard
              message={message}
              next={(shown[index + 1] ?? shown[index - 1])?.message.id}
              isGone={isGone}
              {...card}
            />
          </li>
        ))}
      </ol>
    )
  );
}
