import { href } from "react-router";
import type { Scope } from "#app/models/inbox-forms.server.ts";
import type { BoardFault } from "./board-faults.server.ts";
import { linkClass } from "./looks.ts";

interface Props {
  box: Scope;
  /** The query of the list: its box and its search. */
  list: string;
  isSearch: boolean;
  hasFiles: boolean;
  canEmpty: boolean;
  tip: BoardFault | undefined;
}

const fileClass = `${linkClass} inline-grid min-h-11 content-center`;

/** The actions on the whole list: download and empty. A download is no page, so it has no router Link. */
export function ListFoot({ box, list, isSearch, hasFiles, canEmpty, tip }: Props) {
  const file = (format: string) => `${href("/admin/export")}?${list && `${list}&`}format=${format}`;
  const name = isSearch ? "تنزيل هذه النتائج" : "تنزيل هذا الصندوق";
  return (
    <div className="grid justify-items-start px-3 pt-2 pb-8 text-sm text-muted print:hidden">
      {tip && (
        <p>
          {tip.text}{" "}
          <a href={tip.to} className={linkClass}>
            {tip.link}
          </a>
        </p>
      )}
      {hasFiles && (
        <p className="flex flex-wrap items-center gap-x-4">
          {name}:
          <a href={file("csv")} className={fileClass} aria-label={`${name}: CSV`}>
            CSV
          </a>
          <a href={file("jsonl")} className={fileClass} aria-label={`${name}: JSON`}>
            JSON
          </a>
          {canEmpty && !isSearch && (box === "spam" || box === "trash") && (
            <a href={`${href("/admin/empty")}?box=${box}`} className={fileClass}>
              إفراغ الصندوق
            </a>
          )}
        </p>
      )}
    </div>
  );
}
