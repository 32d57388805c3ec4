import { href } from "react-router";
import { arabicNumber } from "#app/lib/arabic-number.ts";
import type { Scope } from "#app/models/inbox-forms.server.ts";
import { inboxLimits } from "#app/models/inbox-limits.ts";
import { quietClass } from "./class-names.ts";

interface Props {
  box: Scope;
  /** The query of the list: its box and its search. */
  list: string;
  isSearch: boolean;
  canEmpty: boolean;
}

const itemClass = `${quietClass} justify-start! px-3!`;

/** The actions on the whole list: download and empty. A download is no page, so it has no router Link. */
export function More({ box, list, isSearch, canEmpty }: Props) {
  const file = (format: string) => `${href("/admin/export")}?${list && `${list}&`}format=${format}`;
  const name = isSearch ? "تنزيل هذه النتائج" : "تنزيل هذا الصندوق";
  return (
    <details className="relative">
      <summary className={`${quietClass} list-none [&::-webkit-details-marker]:hidden`}>
        المزيد
      </summary>
      <div className="absolute end-0 top-full z-3 grid min-w-52 rounded-2xl border border-line bg-surface p-2 shadow-[0_0.5rem_1.5rem_var(--shade)]">
        <a href={file("xlsx")} className={itemClass}>
          {name} <bdi>(Excel)</bdi>
        </a>
        <a href={file("jsonl")} className={itemClass}>
          {name} <bdi>(JSON)</bdi>
        </a>
        <p className="max-w-60 px-3 pt-1 pb-2 text-sm text-muted">
          جدول <bdi>Excel</bdi> يتسع لـ{arabicNumber(inboxLimits.workbook)} رسالة. ما زاد على ذلك،
          وما تقرؤه البرامج، بصيغة <bdi>JSON</bdi>.
        </p>
        {canEmpty && !isSearch && (box === "spam" || box === "trash") && (
          <a href={`${href("/admin/empty")}?box=${box}`} className={itemClass}>
            إفراغ الصندوق
          </a>
        )}
      </div>
    </details>
  );
}
