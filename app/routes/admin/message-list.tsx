import { href, Link } from "react-router";
import { buttonClass } from "#app/components/button.ts";
import { arabicNumber } from "#app/lib/arabic-number.ts";
import { cursorText, type BoardMessage, type InboxPage, mergeMessages } from "#app/models/inbox.ts";
import { EmptyBoard, MessageCard, UnownedNote } from "./cards.tsx";

interface Props {
  state: { owner: string; messages: number; spam: number };
  page: InboxPage;
  live: readonly BoardMessage[];
  spam: boolean;
  isNewest: boolean;
}

export function MessageList({ state, page, live, spam, isNewest }: Props) {
  const { messages, hasOlder, arrived } = mergeMessages(page, live);
  const last = messages.at(-1);
  return (
    <>
      {state.owner === "nobody" && <UnownedNote />}
      <nav aria-label="الصناديق" className="flex flex-wrap gap-2">
        <BoxLink to="" isCurrent={!spam} count={state.messages + arrived}>
          الرسائل
        </BoxLink>
        <BoxLink to="?box=spam" isCurrent={spam} count={state.spam}>
          البريد غير المرغوب
        </BoxLink>
      </nav>
      {!isNewest && (
        <Link
          to={{ pathname: href("/admin"), search: boxSearch(spam) }}
          className={buttonClass("quiet", "justify-self-center")}
        >
          أحدث الرسائل
        </Link>
      )}
      {messages.length === 0 ? (
        <EmptyBoard />
      ) : (
        <ol aria-label="الرسائل" className="grid gap-4">
          {messages.map((message) => (
            <li key={message.id}>
              <MessageCard message={message} canSort={state.owner === "me"} />
            </li>
          ))}
        </ol>
      )}
      {hasOlder && last && (
        <Link
          to={{
            pathname: href("/admin"),
            search: boxSearch(spam, `before=${cursorText(last)}`),
          }}
          className={buttonClass("quiet", "justify-self-center")}
        >
          رسائل أقدم
        </Link>
      )}
    </>
  );
}

function boxSearch(spam: boolean, before?: string): string {
  const parts = [spam && "box=spam", before].filter(Boolean);
  return parts.length > 0 ? `?${parts.join("&")}` : "";
}

function BoxLink(props: { to: string; isCurrent: boolean; count: number; children: string }) {
  const { to, isCurrent, count, children } = props;
  return (
    <Link
      to={{ pathname: href("/admin"), search: to }}
      aria-current={isCurrent ? "page" : undefined}
      className={buttonClass("text", "aria-[current]:bg-tint")}
    >
      {children}
      {count > 0 && <span className="text-sm text-muted">{arabicNumber(count)}</span>}
    </Link>
  );
}
