import type { Scope } from "#app/models/inbox-forms.server.ts";
import type { SortAction } from "#app/models/inbox-limits.ts";
import type { BoardMessage, ReplyTemplate } from "#app/models/inbox.ts";
import type { BoardAnswer } from "./board-view.server.ts";
import { Marked, MessageText } from "./message-text.tsx";
import { actionLabels, actionsOf, badgesOf, signsOf } from "./message-texts.ts";
import { NoteForm } from "./note-form.tsx";
import { ReadyReplies, ReplyLinks } from "./reply-links.tsx";
import { SortButton, SortCheckbox } from "./sort-form.tsx";
import type { OnEdit } from "./use-unsaved-cards.ts";

interface Props {
  message: BoardMessage;
  box: Scope;
  /** The message at which the keyboard goes on when this one leaves the list. */
  next: string | undefined;
  isGone: boolean;
  onEdit: OnEdit;
  canSort: boolean;
  replies: ReplyTemplate[];
  answer: BoardAnswer | undefined;
  here: string;
}

export function MessageCard(props: Props) {
  const { message, box, next = "", isGone, onEdit, canSort, replies, answer, here } = props;
  const { id, name, email, created_at: createdAt, date, reply } = message;
  const signs = signsOf(message);
  const [first, second, ...others] = actionsOf(message);
  const on = `${id}:${next}`;
  const marks = message.found?.marks;
  const canReply = !isGone && !signs && !message.deleted_at;
  return (
    <article
      aria-labelledby={`name-${id}`}
      // Marks piled on one letter are drawn far outside of their line.
      className="message relative grid gap-x-4 gap-y-1 overflow-clip px-3 py-1.5 leading-[1.6] has-[label]:ps-11 has-[[name=ids]:checked]:bg-tint lg:grid-cols-[17rem_minmax(0,1fr)_auto] lg:has-[label]:grid-cols-[17rem_minmax(0,1fr)_20rem]"
    >
      <header className="flex flex-wrap content-start items-baseline gap-x-2">
        {canSort && !isGone && (
          <SortCheckbox
            value={id}
            aria-label={`اختيار رسالة ${name}`}
            defaultChecked={answer?.ids?.includes(id) ?? false}
          />
        )}
        <h2
          id={`name-${id}`}
          className="-mx-1 min-w-0 flex-auto overflow-clip px-1 font-bold wrap-anywhere"
        >
          <bdi>
            <Marked text={name} marks={marks?.name} />
          </bdi>
        </h2>
        <time
          dateTime={createdAt}
          className="text-xs/[1.4] text-muted lg:order-1 lg:basis-full lg:text-sm/[1.4]"
        >
          {date}
        </time>
        <a
          href={`mailto:${encodeURIComponent(email).replace("%40", "@")}`}
          className="flex-auto basis-[calc(100%-6rem)] overflow-clip text-sm/[1.45] wrap-anywhere text-brand underline underline-offset-4 lg:order-1 lg:basis-full"
        >
          <bdi dir="ltr">
            <Marked text={email} marks={marks?.email} />
          </bdi>
        </a>
        {badgesOf(message, box).map((word) => (
          // High enough for a vowel sign on a hamza.
          <span
            key={word}
            className="rounded-xl border border-field px-2 pt-[0.1875rem] text-[0.8125rem] whitespace-nowrap"
          >
            {word}
          </span>
        ))}
      </header>
      <MessageText {...message} />
      {signs && <small className="text-muted">{signs}</small>}
      <footer className="flex flex-wrap content-start items-start gap-1 lg:max-w-80">
        {canReply && <ReplyLinks reply={reply} isFound={marks?.phone !== undefined} />}
        {canSort && (
          <>
            {isGone ? (
              <strong className="text-danger">خرجت هذه الرسالة من القائمة. احفظ ملاحظتك.</strong>
            ) : (
              [first, second].map(
                (action) => action && <CardAction key={action} on={on} action={action} />,
              )
            )}
            <NoteForm message={message} here={here} answer={answer} isGone={isGone} onEdit={onEdit}>
              {!isGone &&
                others.map((action) => <CardAction key={action} on={on} action={action} />)}
              {canReply && <ReadyReplies reply={reply} replies={replies} />}
            </NoteForm>
          </>
        )}
      </footer>
    </article>
  );
}

function CardAction({ on, action }: { on: string; action: SortAction }) {
  return (
    <SortButton name="one" value={`${action}:${on}`}>
      {actionLabels[action]}
    </SortButton>
  );
}
