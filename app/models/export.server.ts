import { csvLine, csvStart, jsonLine } from "#app/lib/export-lines.ts";
import type { InboxMessage } from "./inbox.ts";

export const exportFormats = ["csv", "jsonl"] as const;
export type ExportFormat = (typeof exportFormats)[number];

const headings = {
  created_at: "التاريخ",
  name: "الاسم",
  email: "البريد الإلكتروني",
  phone: "واتساب",
  message: "الرسالة",
  note: "ملاحظة",
  answered_at: "أُجيبت",
  archived_at: "أُرشفت",
  deleted_at: "حُذفت",
  spam_signs: "علامات الإزعاج",
  id: "المعرّف",
} satisfies Record<keyof InboxMessage, string>;

const columns = Object.keys(headings) as (keyof InboxMessage)[];

export async function* exportText(
  pages: AsyncIterable<readonly InboxMessage[]>,
  format: ExportFormat,
): AsyncGenerator<string> {
  if (format === "csv") {
    yield csvStart + csvLine(Object.values(headings));
  }
  for await (const page of pages) {
    yield page.map(format === "csv" ? csvRecord : jsonLine).join("");
  }
}

function csvRecord(message: InboxMessage): string {
  const cells = { ...message, phone: message.phone && `+${message.phone}` };
  return csvLine(
    columns.map((column) => {
      const value = cells[column];
      return Array.isArray(value) ? value.join(" ") : value;
    }),
  );
}
