import { ReadableStream, TextEncoderStream } from "node:stream/web";
import { csvLine, csvStart, jsonLine } from "#app/lib/export-lines.ts";
import { fileDate } from "./date.server.ts";
import type { Scope } from "./inbox-forms.server.ts";
import { boxNames } from "./inbox-limits.ts";
import type { WholeMessage } from "./inbox.ts";
import { fieldNames, type MessageField, messageFields } from "./message-fields.server.ts";

export const exportFormats = ["csv", "jsonl"] as const;
type ExportFormat = (typeof exportFormats)[number];

const types: Record<ExportFormat, string> = {
  csv: "text/csv; charset=utf-8",
  jsonl: "application/jsonl; charset=utf-8",
};

/** Headers of a download. Clients without `filename*` (RFC 6266) get the ASCII name. */
export function fileHeaders(box: Scope, format: ExportFormat): Record<string, string> {
  const day = fileDate(new Date());
  const name = `${boxNames[box].replaceAll(" ", "-")}-${day}.${format}`;
  return {
    "Content-Type": types[format],
    "Content-Disposition": `attachment; filename="${box}-${day}.${format}"; filename*=UTF-8''${encodeURIComponent(name)}`,
    "Cache-Control": "private, no-store",
    // nginx passes the file on while it is being made.
    "X-Accel-Buffering": "no",
  };
}

const headings = {
  created_at: "التاريخ",
  ...(Object.fromEntries(fieldNames.map((name) => [name, messageFields[name].label])) as Record<
    MessageField,
    string
  >),
  note: "ملاحظة",
  answered_at: "تم الرد",
  archived_at: "أُرشفت",
  deleted_at: "حُذفت",
  expired_at: "انتهت مدتها",
  spam_signs: "علامات الإزعاج",
  spam_at: "مزعجة منذ",
  accepted_signs: "علامات الإزعاج قبل قبولها",
  id: "المعرّف",
} satisfies Record<keyof WholeMessage, string>;

const columns = Object.keys(headings) as (keyof WholeMessage)[];

/** The bytes of a file. A page is read when the one before it was taken. */
export function exportFile(
  pages: AsyncIterable<readonly WholeMessage[]>,
  format: ExportFormat,
): globalThis.ReadableStream<Uint8Array> {
  const texts = ReadableStream.from(exportText(pages, format));
  return texts.pipeThrough(new TextEncoderStream()) as globalThis.ReadableStream<Uint8Array>;
}

async function* exportText(
  pages: AsyncIterable<readonly WholeMessage[]>,
  format: ExportFormat,
): AsyncGenerator<string> {
  if (format === "csv") {
    yield csvStart + csvLine(Object.values(headings));
  }
  for await (const page of pages) {
    yield page.map(format === "csv" ? csvRecord : jsonLine).join("");
  }
}

function csvRecord(message: WholeMessage): string {
  // For programs that dial it: without the blanks that help people to read it.
  const cells = { ...message, phone: message.phone && `+${message.phone}` };
  return csvLine(
    columns.map((column) => {
      const value = cells[column];
      return Array.isArray(value) ? value.join(" ") : value;
    }),
  );
}
