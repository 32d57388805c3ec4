import { href } from "react-router";
import type { Scope } from "#app/models/inbox-forms.server.ts";
import type { BoardFault } from "./board-faults.server.ts";

interface Props {
  box: Scope;
  /** The query of the list: its box and its search. */
  list: string;
  isSearch: boolean;
  hasFiles: boolean;
  canEmpty: boolean;
  tip: BoardFault | undefined;
}

/** What concerns the whole list: download, empty. Downloads are no pages, so no router Link. */
export function ListFoot({ box, list, isSearch, hasFiles, canEmpty, tip }: Props) {
  const file = (format: string) => `${href("/admin/export")}?${list && `${list}&`}format=${format}`;
  const name = isSearch ? "تنزيل هذه النتائج" : "تنزيل هذا الصندوق";
  return (
    <div className="foot">
      {tip && (
        <p>
          {tip.text} <a href={tip.to}>{tip.link}</a>
        </p>
      )}
      {hasFiles && (
        <p>
          {name}:
          <a href={file("csv")} aria-label={`${name}: CSV`}>
            CSV
          </a>
          <a href={file("jsonl")} aria-label={`${name}: JSON`}>
            JSON
          </a>
          {canEmpty && !isSearch && (box === "spam" || box === "trash") && (
            <a href={`${href("/admin/empty")}?box=${box}`}>إفراغ الصندوق</a>
          )}
        </p>
      )}
    </div>
  );
}
