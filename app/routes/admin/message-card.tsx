import type { SortAction } from "#app/models/inbox-limits.ts";
import type { BoardMessage, ReplyTemplate } from "#app/models/inbox.ts";
import type { BoardResult } from "./board-actions.server.ts";
import { MessageText } from "./message-text.tsx";
import { NoteForm } from "./note-form.tsx";
import { ReadyReplies, ReplyLinks } from "./reply-links.tsx";
import { actionLabels, SortButton, SortCheckbox } from "./sort-form.tsx";

const spamSigns: Record<string, string> = {
  trap: "مُلئ حقل لا يراه الناس",
  haste: "أُرسلت أسرع مما يكتب الناس",
  unseen: "لم تُفتح صفحتها قبل إرسالها",
  links: "فيها روابط كثيرة",
  repeat: "تكرر نصها",
  owner: "قلت إنها مزعجة",
};

interface Props {
  message: BoardMessage;
  /** Whether it left the list while its note was being written. */
  isGone: boolean;
  canSort: boolean;
  replies: ReplyTemplate[];
  result: BoardResult | undefined;
  here: string;
}

export function MessageCard({ message, isGone, canSort, replies, result, here }: Props) {
  const { id, name, email, created_at: createdAt, date, spam_signs: signs, note, reply } = message;
  const [first, second, ...others] = actionsOf(message);
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
        <h2 id={`name-${id}`} className="-mx-1 overflow-clip px-1 font-bold wrap-anywhere">
          <bdi>{name}</bdi>
        </h2>
        <time dateTime={createdAt} className="text-xs lg:text-sm text-muted">
          {date}
        </time>
        <a
          href={`mailto:${encodeURIComponent(email).replace("%40", "@")}`}
          className="overflow-clip text-sm text-brand underline underline-offset-4 wrap-anywhere"
        >
          <bdi dir="ltr">{email}</bdi>
        </a>
        <Badges {...message} />
      </header>
      <MessageText {...message} />
      {signs && (
        <small className="text-muted">{signs.map((sign) => spamSigns[sign]).join("، ")}</small>
      )}
      <footer>
        {canReply && (
          <div className="flex flex-wrap gap-1 lg:basis-full">
            <ReplyLinks reply={reply} />
          </div>
        )}
        {canSort && (
          <>
            {isGone ? (
              <strong className="text-danger">خرجت هذه الرسالة من القائمة. احفظ ملاحظتك.</strong>
            ) : (
              [first, second].map(
                (action) => action && <CardAction key={action} id={id} action={action} />,
              )
            )}
            {canReply && <ReadyReplies reply={reply} replies={replies} />}
            <NoteForm id={id} note={note} here={here} result={result} isOpen={isGone}>
              {!isGone &&
                others.map((action) => <CardAction key={action} id={id} action={action} />)}
            </NoteForm>
          </>
        )}
      </footer>
    </article>
  );
}

function CardAction({ id, action }: { id: string; action: SortAction }) {
  return (
    <SortButton name="one" value={`${action}:${id}`}>
      {actionLabels[action]}
    </SortButton>
  );
}

/** What can be done with a message, the most frequent first. */
function actionsOf({
  answered_at,
  archived_at,
  deleted_at,
  spam_signs,
}: BoardMessage): SortAction[] {
  if (deleted_at) {
    return ["restore"];
  }
  if (spam_signs) {
    return ["unspam", "trash"];
  }
  const answer = answered_at ? "unanswer" : "answer";
  return archived_at ? ["unarchive", answer, "trash"] : [answer, "archive", "trash", "spam"];
}

function Badges({ answered_at, archived_at, deleted_at, spam_signs }: BoardMessage) {
  const words = [
    answered_at && "✓ أُجيبت",
    archived_at && "مؤرشفة",
    spam_signs && "غير مرغوبة",
    deleted_at && "في السلة",
  ];
  return words.map(
    (word) =>
      word && (
        <span key={word} className="badge">
          {word}
        </span>
      ),
  );
}
