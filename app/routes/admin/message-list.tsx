import { href, Link } from "react-router";
import { TextArea } from "#app/components/field.tsx";
import { PostForm } from "#app/components/post-form.tsx";
import { isOffline } from "#app/hooks/keep-form.ts";
import type { Scope } from "#app/models/inbox-forms.server.ts";
import {
  type BoardMessage,
  cursorText,
  type InboxPage,
  type ReplyTemplate,
} from "#app/models/inbox.ts";
import type { BoardFault } from "./board-faults.server.ts";
import type { BoardSearch } from "./board-list.server.ts";
import type { BoardAnswer, BoardResult } from "./board-view.server.ts";
import { boardPath } from "./box-nav.tsx";
import { EmptyBox, UnownedNote } from "./cards.tsx";
import { isLastFresh, showsNew } from "./fresh.ts";
import { ListFoot } from "./list-foot.tsx";
import { MessageRow } from "./message-row.tsx";
import { emptyTexts } from "./message-texts.ts";
import { noteLabel, StoredNote } from "./note-form.tsx";
import { Notice } from "./notice.tsx";
import { InertDefaultButton, SortBar } from "./sort-bar.tsx";
import { useFresh } from "./use-fresh.ts";
import { useSend } from "./use-send.ts";
import { useSlowDoubleClick } from "./use-slow-double-click.ts";
import { useUnsavedRows } from "./use-unsaved-rows.ts";

interface Props {
  state: { owner: string; seen_at: string | null; fresh: number };
  /** The loaded page with the live messages. */
  page: InboxPage;
  live: readonly BoardMessage[];
  box: Scope;
  /** The query of the list; `here` adds the page. */
  list: string;
  here: string;
  /** The message that the URL names. */
  open: string | undefined;
  isNewest: boolean;
  replies: ReplyTemplate[];
  search?: BoardSearch | undefined;
  result: BoardResult | undefined;
  answer: BoardAnswer | undefined;
  /** That no notifications are sent. */
  tip: BoardFault | undefined;
}

export function MessageList({ state, page, live, tip, ...view }: Props) {
  const { box, list, here, open, isNewest, search, result, answer } = view;
  const { messages, hasOlder } = page;
  const last = messages.at(-1);
  const older = search?.stoppedAt ?? (hasOlder && last && cursorText(last));
  const isTop = showsNew(view);
  const since = useFresh({ state, live, messages, hasOlder, here, isTop });
  const canSort = state.owner === "me";
  const has = (id: string | undefined) => messages.some((message) => message.id === id);
  const failure = canSort && has(answer?.values?.id) ? undefined : failureOf(answer);
  const action = href("/admin") + boardPath(here, open && `open=${open}`).search;
  const { onSubmit, sending } = useSend(open, result?.token);
  return (
    <>
      {state.owner === "nobody" && <UnownedNote />}
      {!isNewest && (
        <Link to={boardPath(list)} className="list-link">
          أحدث الرسائل
        </Link>
      )}
      {canSort && <InertDefaultButton />}
      <Notice
        result={answer ? undefined : result}
        failure={failure}
        takesFocus={failure !== undefined || !has(open)}
      />
      {messages.length === 0 && !older && !search?.error && (
        <EmptyBox text={emptyTexts[isNewest ? (search ? "search" : box) : "older"]} />
      )}
      <Rows
        key={here}
        {...{ messages, since, canSort, action, sending, onSubmit }}
        {...view}
        answer={isOffline(answer) && !answer.values.id ? undefined : answer}
      />
      {older && (
        <Link to={boardPath(list, `before=${older}`)} className="list-link">
          {search?.stoppedAt ? "ابحث في الأقدم" : "رسائل أقدم"}
        </Link>
      )}
      <ListFoot
        box={box}
        list={list}
        isSearch={search !== undefined}
        hasFiles={messages.length > 0}
        canEmpty={canSort}
        tip={tip}
      />
      {canSort && <SortBar box={box} action={action} onSubmit={onSubmit} />}
    </>
  );
}

interface RowsProps extends Pick<Props, "box" | "open" | "replies" | "result" | "answer">, Send {
  messages: BoardMessage[];
  /** Messages up to this time were seen on earlier visits. */
  since: string;
  canSort: boolean;
  /** The URL that the forms are posted to. */
  action: string;
}

type Send = ReturnType<typeof useSend>;

function Rows({ messages, since, sending, onSubmit, ...list }: RowsProps) {
  const { box, canSort, open, replies, result, answer, action } = list;
  const { shown, onEdit } = useUnsavedRows(messages);
  const slowDoubleClick = useSlowDoubleClick();
  const noted = answer?.values?.id;
  const hasForm = canSort && shown.some(({ message }) => message.id === noted);
  return (
    <>
      {answer?.values?.note && !hasForm && <LostNote answer={answer} action={action} />}
      {shown.length > 0 && (
        <ol aria-label="الرسائل" className="list" onSubmit={onSubmit} {...slowDoubleClick}>
          {shown.map(({ message, isGone }, index) => (
            <li key={message.id}>
              <MessageRow
                {...{ message, box, canSort, replies, action, isGone, onEdit }}
                next={(shown[index + 1] ?? shown[index - 1])?.message.id}
                isOpen={isGone || message.id === (noted ?? open)}
                isNext={result !== undefined && message.id === open}
                isSelected={answer?.ids?.includes(message.id) ?? false}
                isSending={sending === message.id}
                saved={result?.noted === message.id ? result.token : undefined}
                answer={noted === message.id ? answer : undefined}
              />
              {isLastFresh(message, shown[index + 1]?.message, since) && (
                <p className="fresh-line">ما أعلاه وصل بعد زيارتك الأخيرة</p>
              )}
            </li>
          ))}
        </ol>
      )}
    </>
  );
}

const failureOf = (answer: BoardAnswer | undefined) =>
  isOffline(answer) ? answer.reason : (answer?.failure ?? answer?.errors.note ?? answer?.errors.id);

/** A refused note whose message left the list. */
function LostNote({ answer: { values, stored }, action }: { answer: BoardAnswer; action: string }) {
  return (
    <div className="lost-note">
      <PostForm submit="حفظ الملاحظة" action={action} failure={undefined}>
        {stored && <StoredNote text={stored} />}
        <input type="hidden" name="id" value={values?.id} />
        <input type="hidden" name="stamp" value={values?.stamp} />
        <input type="hidden" name="anywhere" />
        <TextArea label={noteLabel} name="note" rows={8} dir="auto" defaultValue={values?.note} />
      </PostForm>
    </div>
  );
}
