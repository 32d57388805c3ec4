import { href, Link } from "react-router";
import { buttonClass } from "#app/components/button.ts";
import { TextArea } from "#app/components/field.tsx";
import { PostForm } from "#app/components/post-form.tsx";
import { isOffline } from "#app/hooks/offline-form.ts";
import type { Scope } from "#app/models/inbox-forms.server.ts";
import type { Box } from "#app/models/inbox-limits.ts";
import {
  cursorText,
  type BoardMessage,
  type InboxPage,
  mergeMessages,
  type ReplyTemplate,
} from "#app/models/inbox.ts";
import type { BoardSearch } from "./board-list.server.ts";
import type { BoardResult, BoardAnswer } from "./board-view.server.ts";
import { boardPath, BoxNav } from "./box-nav.tsx";
import { EmptyBox, UnownedNote } from "./cards.tsx";
import { isFirstSeen, showsNew } from "./fresh.ts";
import { ListLinks } from "./list-links.tsx";
import { MessageCard } from "./message-card.tsx";
import { emptyTexts } from "./message-texts.ts";
import { noteLabel, StoredNote } from "./note-form.tsx";
import { ResultLine } from "./result-line.tsx";
import { SearchForm } from "./search-form.tsx";
import { InertDefaultButton, SortBar } from "./sort-form.tsx";
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
  /** The query of the list; `here` adds the page. */
  list: string;
  here: string;
  isNewest: boolean;
  replies: ReplyTemplate[];
  search?: BoardSearch | undefined;
  result: BoardResult | undefined;
  answer: BoardAnswer | undefined;
}

export function MessageList({ state, page, live, ...view }: Props) {
  const { box, list, here, isNewest, search, result, answer } = view;
  const { messages, hasOlder, arrived } = mergeMessages(page, live);
  const last = messages.at(-1);
  const older = search?.stoppedAt ?? (hasOlder && last && cursorText(last));
  const isTop = showsNew(view);
  const since = useFresh({ state, live, messages, hasOlder, here, isTop });
  const counts = { ...state, all: state.messages + arrived, waiting: state.waiting + arrived };
  const canSort = state.owner === "me";
  const isOfNote = canSort && messages.some(({ id }) => id === answer?.values?.id);
  const isBeside = messages.some(({ id }) => id === result?.beside);
  const failure = isOfNote ? undefined : failureOf(answer);
  return (
    <>
      {state.owner === "nobody" && <UnownedNote />}
      <BoxNav current={box} counts={counts} />
      <SearchForm box={box} search={search} />
      {(failure || !isBeside) && <ResultLine result={result} failure={failure} />}
      {!isNewest && (
        <Link to={boardPath(list)} className={buttonClass("quiet", "justify-self-center")}>
          أحدث الرسائل
        </Link>
      )}
      {canSort && <InertDefaultButton />}
      {messages.length === 0 && !older && !search?.error && (
        <EmptyBox text={emptyTexts[isNewest ? (search ? "search" : box) : "older"]} />
      )}
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
      {canSort && <SortBar box={box} here={here} />}
    </>
  );
}

interface CardsProps extends Pick<Props, "box" | "here" | "replies" | "result" | "answer"> {
  messages: BoardMessage[];
  /** Messages up to this time were seen on earlier visits. */
  since: string;
  canSort: boolean;
}

function Cards({ messages, since, result, ...card }: CardsProps) {
  const { answer, canSort } = card;
  const { shown, onEdit } = useUnsavedCards(messages);
  const hasForm = canSort && shown.some(({ message }) => message.id === answer?.values?.id);
  return (
    <>
      {answer?.values?.note && !hasForm && <LostNote answer={answer} here={card.here} />}
      {shown.length > 0 && (
        <ol
          aria-label="الرسائل"
          className="divide-y divide-line overflow-clip rounded-2xl border border-line bg-surface"
        >
          {shown.map(({ message, isGone }, index) => (
            <li key={message.id}>
              {isFirstSeen(shown[index - 1]?.message, message, since) && <NewMessagesDivider />}
              {message.id === result?.beside && <ResultLine result={result} />}
              <MessageCard
                message={message}
                next={(shown[index + 1] ?? shown[index - 1])?.message.id}
                isGone={isGone}
                onEdit={onEdit}
                {...card}
              />
            </li>
          ))}
        </ol>
      )}
    </>
  );
}

const failureOf = (answer: BoardAnswer | undefined) =>
  isOffline(answer) ? answer.reason : (answer?.failure ?? answer?.errors.note ?? answer?.errors.id);

/** A refused note whose card left the list. */
function LostNote({ answer: { values, stored }, here }: { answer: BoardAnswer; here: string }) {
  return (
    <PostForm
      submit="حفظ الملاحظة"
      action={href("/admin") + boardPath(here).search}
      failure={undefined}
    >
      {stored && <StoredNote text={stored} />}
      <input type="hidden" name="id" value={values?.id} />
      <input type="hidden" name="stamp" value={values?.stamp} />
      <input type="hidden" name="anywhere" />
      <TextArea label={noteLabel} name="note" rows={8} dir="auto" defaultValue={values?.note} />
    </PostForm>
  );
}

/** Separates new messages from those of earlier visits. */
function NewMessagesDivider() {
  return (
    <p className="flex items-center gap-3 px-4 py-1 text-sm/6 text-muted before:flex-1 before:border-t before:border-line after:flex-1 after:border-t after:border-line">
      <span aria-hidden="true">↑ جديد منذ زيارتك الأخيرة</span>
      <span className="sr-only">ما قبل هذا جديد منذ زيارتك الأخيرة</span>
    </p>
  );
}
