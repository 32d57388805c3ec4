import { Icon } from "#app/components/icons.tsx";
import type { BoardMessage, Due } from "#app/models/inbox.ts";
import { icons } from "./icons.ts";
import { isWaiting } from "./message-texts.ts";

// The policy allows no style attributes.
const points = [
  "",
  "[--n:1]",
  "[--n:2]",
  "[--n:3]",
  "[--n:4]",
  "[--n:5]",
  "[--n:6]",
  "[--n:7]",
  "[--n:8]",
];

interface Props {
  due: Pick<Due, "lit" | "isOld">;
  className?: string;
}

/** The rest of the promised time: eight points, of which one goes out with each eighth of it. */
export const Star = ({ due: { lit, isOld }, className = "" }: Props) => (
  <i
    aria-hidden="true"
    data-late={lit === 0 ? "" : undefined}
    data-old={isOld && ""}
    className={`star ${points[lit]} ${className}`}
  />
);

/** The sign at the start of a row. The words of the row say the same. */
export function RowSign({ message }: { message: BoardMessage }) {
  if (message.due) {
    return <Star due={message.due} className="col-start-1 row-start-1" />;
  }
  if (isWaiting(message)) {
    return (
      <i aria-hidden="true" className="dot col-start-1 row-start-1 m-2 border-dot print:hidden" />
    );
  }
  const { deleted_at: deleted, spam_signs: signs, answered_at: answered } = message;
  const icon = deleted ? "trash" : signs ? "spam" : answered ? "check" : "archive";
  return <Icon path={icons[icon]} className="col-start-1 row-start-1 m-0.5 size-5 text-muted" />;
}
