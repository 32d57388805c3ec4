import type { BoardMessage, MessageAction, ReplyTemplate } from "#app/models/inbox.ts";
import type { BoardResult } from "./board-view.server.ts";
import { Marked } from "./marked.tsx";
import { MessageText } from "./message-text.tsx";
import { NoteForm } from "./note-form.tsx";
import { ReadyReplies, ReplyLinks } from "./reply-links.tsx";
import { SortButton, SortCheckbox } from "./sort-form.tsx";

interface Props {
  message: BoardMessage;
  /** The message at which the keyboard goes on when this one leaves the list. */
  next: string | undefined;
  isGone: boolean;
  canSort: boolean;
  replies: ReplyTemplate[];
  result: BoardResult | undefined;
  here: string;
}

export function MessageCard({ message, next = "", isGone, canSort, replies, result, here }: Props) {
  const { id, name, email, created_at: createdAt, date, badges, signs, reply } = message;
  const [first, second, ...others] = message.actions;
  const on = `${id}:${next}`;
  const marks = message.found?.marks;
  const canReply = !isGone && !signs && !message.deleted_at;
  return (
    <article aria-labelledby={`name-${id}`} className="message">
      <header>
        {canSort && !isGone && (
          <SortCheckbox
            value={id}
            aria-label={`اختيار رسالة ${name}`}
            defaultChecked={result?.ids?.includes(id) ?? false}
          />
        )}
        <h2 id={`name-${id}`}>
          <bdi>
            <Marked text={name} marks={marks?.name} />
          </bdi>
        </h2>
        <time dateTime={createdAt}>{date}</time>
        <a href={`mailto:${encodeURIComponent(email).replace("%40", "@")}`}>
          <bdi dir="ltr">
            <Marked text={email} marks={marks?.email} />
          </bdi>
        </a>
        {badges.map((word) => (
          <span key={word} className="badge">
            {word}
          </span>
        ))}
      </header>
      <MessageText {...message} />
      {signs && <small className="text-muted">{signs}</small>}
      <footer>
        {canReply && <ReplyLinks reply={reply} isFound={marks?.phone !== undefined} />}
        {canSort && (
          <>
            {isGone ? (
              <strong className="text-danger">خرجت هذه الرسالة من القائمة. احفظ ملاحظتك.</strong>
            ) : (
              [first, second].map(
                (action) => action && <CardAction key={action[0]} on={on} action={action} />,
              )
            )}
            <NoteForm message={message} here={here} result={result} isGone={isGone}>
              {!isGone &&
                others.map((action) => <CardAction key={action[0]} on={on} action={action} />)}
              {canReply && <ReadyReplies reply={reply} replies={replies} />}
            </NoteForm>
          </>
        )}
      </footer>
    </article>
  );
}

function CardAction({ on, action: [action, label] }: { on: string; action: MessageAction }) {
  return (
    <SortButton name="one" value={`${action}:${on}`}>
      {label}
    </SortButton>
  );
}
