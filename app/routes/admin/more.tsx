import { href } from "react-router";
import type { Scope } from "#app/models/inbox-forms.server.ts";
import { quietClass } from "./looks.ts";

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
        <a href={file("csv")} className={itemClass}>
          {name} <bdi>(CSV)</bdi>
        </a>
        <a href={file("jsonl")} className={itemClass}>
          {name} <bdi>(JSON)</bdi>
        </a>
        {canEmpty && !isSearch && (box === "spam" || box === "trash") && (
          <a href={`${href("/admin/empty")}?box=${box}`} className={itemClass}>
            إفراغ الصندوق
          </a>
        )}
      </div>
    </details>
  );
}
