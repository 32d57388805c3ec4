import type { SortAction } from "#app/models/inbox-limits.ts";
import type { BoardMessage, ReplyTemplate } from "#app/models/inbox.ts";
import { Marked } from "./marked.tsx";
import { actionIcons, actionLabels, actionsOf, signsOf } from "./message-texts.ts";
import { NoteForm, type NoteProps, StoredNote } from "./note-form.tsx";
import { ReadyReplies, ReplyLinks } from "./reply-links.tsx";

export interface SheetProps extends NoteProps {
  message: BoardMessage;
  /** The message that is opened when this one is done. */
  next: string | undefined;
  canSort: boolean;
  replies: ReplyTemplate[];
}

/** What is read and done with a message. A closed row shows a part of it. */
export function MessageSheet({ message, next = "", canSort, replies, ...note }: SheetProps) {
  const { id, name, email, message: text, reply, found } = message;
  const { answer, isGone } = note;
  const signs = signsOf(message);
  const canReply = !isGone && !signs && !message.deleted_at;
  const hasReplies = canReply && replies.length > 0;
  const stored = answer?.stored === undefined ? message.note : answer.stored;
  return (
    <div className="sheet">
      <p className="who">
        {/* Only for the eye: the header says the same. */}
        <strong aria-hidden="true">
          <bdi>{name}</bdi>
        </strong>
        <bdi aria-hidden="true" dir="ltr">
          {email}
        </bdi>
        {reply.number && (
          <bdi dir="ltr">{found?.marks.phone ? <mark>{reply.number}</mark> : reply.number}</bdi>
        )}
      </p>
      <div className="actions">
        {canReply && <ReplyLinks reply={reply} />}
        {canSort &&
          !isGone &&
          actionsOf(message).map((action) => (
            <SheetButton key={action} action={action} on={`${id}:${next}`} />
          ))}
      </div>
      <p className="text" dir="auto">
        <Marked text={text} marks={found?.marks.message} />
      </p>
      {found?.excerpt && (
        <p className="excerpt" dir="auto">
          <Marked {...found.excerpt} />
        </p>
      )}
      {signs && <p className="signs">{signs}</p>}
      {isGone && <strong className="gone">خرجت هذه الرسالة من القائمة. احفظ ملاحظتك.</strong>}
      {stored && <StoredNote text={stored} marks={answer ? undefined : found?.marks.note} />}
      {canSort && (
        <div className="more">
          {hasReplies && <ReadyReplies reply={reply} replies={replies} name={name} />}
          <NoteForm message={message} {...note} />
        </div>
      )}
    </div>
  );
}

function SheetButton({ action, on }: { action: SortAction; on: string }) {
  return (
    <button
      type="submit"
      form="sort"
      name="one"
      value={`${action}:${on}`}
      className={`icon ${actionIcons[action]}`}
    >
      {actionLabels[action]}
    </button>
  );
}
