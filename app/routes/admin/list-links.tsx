import { href } from "react-router";
import type { Scope } from "#app/models/inbox-forms.server.ts";

interface Props {
  box: Scope;
  /** The query of the list: its box and its search. */
  list: string;
  isSearch: boolean;
  canEmpty: boolean;
}

const link = "text-brand underline underline-offset-4";

/** Links for the whole list: download, empty. Downloads are no pages, so no router Link. */
export function ListLinks({ box, list, isSearch, canEmpty }: Props) {
  const file = (format: string) => `${href("/admin/export")}?${list && `${list}&`}format=${format}`;
  return (
    <p className="flex flex-wrap gap-x-4 gap-y-2 text-sm text-muted print:hidden">
      {isSearch ? "هذه النتائج كلها:" : "هذا الصندوق كله:"}
      <a href={file("csv")} className={link}>
        تنزيل CSV
      </a>
      <a href={file("jsonl")} className={link}>
        تنزيل JSON
      </a>
      {canEmpty && !isSearch && (box === "spam" || box === "trash") && (
        <a href={`${href("/admin/empty")}?box=${box}`} className={link}>
          إفراغ الصندوق
        </a>
      )}
    </p>
  );
}
