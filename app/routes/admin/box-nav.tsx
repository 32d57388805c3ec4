import type { ReactNode } from "react";
import { href, Link } from "react-router";
import { buttonClass } from "#app/components/button.ts";
import { arabicNumber } from "#app/lib/arabic-number.ts";
import type { Scope } from "#app/models/inbox-forms.server.ts";
import { type Box, boxes, boxNames } from "#app/models/inbox-limits.ts";

export const boardPath = (search: string) => ({
  pathname: href("/admin"),
  search: search && `?${search}`,
});

interface Props {
  current: Scope;
  counts: Record<Box, number>;
}

export function BoxNav({ current, counts }: Props) {
  return (
    <nav aria-label="الصناديق" className="flex flex-wrap border-b border-line">
      {boxes.map((box) => (
        <BoxLink key={box} box={box} isCurrent={box === current} count={counts[box]}>
          {boxNames[box]}
        </BoxLink>
      ))}
    </nav>
  );
}

function BoxLink(props: { box: Box; isCurrent: boolean; count: number; children: ReactNode }) {
  const { box, isCurrent, count, children } = props;
  return (
    <Link
      to={boardPath(box === "all" ? "" : `box=${box}`)}
      aria-current={isCurrent ? "page" : undefined}
      className={buttonClass(
        "text",
        "rounded-b-none focus-visible:-outline-offset-3 aria-[current]:bg-tint max-[52rem]:min-h-9 max-[52rem]:gap-1 max-[52rem]:px-2 max-[52rem]:py-0.5 max-[52rem]:text-sm/[1.75]",
      )}
    >
      {children}
      {count > 0 && <span className="text-sm text-muted">{arabicNumber(count)}</span>}
    </Link>
  );
}
