import { ReadableStream, TextEncoderStream } from "node:stream/web";
import type { Sheet, SheetColumn } from "#app/site-contract.server.ts";
import { boxNames } from "./boxes.ts";
import { fileDate } from "./date.server.ts";
import type { Scope } from "./inbox-forms.server.ts";
import { inboxLimits } from "./inbox-limits.ts";
import type { WholeMessage } from "./inbox.ts";
import {
  fieldNames,
  type MessageField,
  messageFields,
  shownFields,
} from "./message-fields.server.ts";

export const exportFormats = ["xlsx", "jsonl"] as const;
type ExportFormat = (typeof exportFormats)[number];

const types: Record<ExportFormat, string> = {
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
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

const column = (heading: string, kind: SheetColumn["kind"], width: number): SheetColumn => ({
  heading,
  kind,
  width,
});
const time = (heading: string) => column(heading, "time", 17);

function fieldColumn(name: MessageField): SheetColumn {
  const { label, isLong, isLatin } = messageFields[name];
  return isLong ? column(label, "lines", 60) : column(label, isLatin ? "latin" : "text", 26);
}

const columns = {
  created_at: time("التاريخ"),
  ...(Object.fromEntries(fieldNames.map((name) => [name, fieldColumn(name)])) as Record<
    MessageField,
    SheetColumn
  >),
  note: column("ملاحظة", "lines", 40),
  answered_at: time("تم الرد"),
  archived_at: time("أُرشفت"),
  deleted_at: time("حُذفت"),
  expired_at: time("انتهت مدتها"),
  spam_signs: column("علامات الإزعاج", "latin", 20),
  spam_at: time("مزعجة منذ"),
  accepted_signs: column("علامات الإزعاج قبل قبولها", "latin", 20),
  id: column("المعرّف", "latin", 38),
} satisfies Record<keyof WholeMessage, SheetColumn>;

const columnNames = Object.keys(columns) as (keyof WholeMessage)[];

/** Reads the pages into a sheet. Returns undefined if there are too many messages for one. */
export async function exportSheet(
  box: Scope,
  pages: AsyncIterable<readonly WholeMessage[]>,
): Promise<Sheet | undefined> {
  const rows: Sheet["rows"] = [];
  for await (const page of pages) {
    rows.push(...page.map(rowOf));
    if (rows.length > inboxLimits.workbook) {
      return undefined;
    }
  }
  return { name: boxNames[box], columns: Object.values(columns), rows };
}

function rowOf(message: WholeMessage): (string | null)[] {
  const texts = Object.fromEntries(shownFields(message).map(({ name, text }) => [name, text]));
  const cells = { ...message, ...texts, phone: message.phone && `+${message.phone}` };
  return columnNames.map((name) => {
    const value = cells[name];
    return Array.isArray(value) ? value.join(" ") : value;
  });
}

/** The bytes of JSON lines, which are exact. Reads a page when the client has taken the one before it. */
export function jsonLines(
  pages: AsyncIterable<readonly WholeMessage[]>,
): globalThis.ReadableStream<Uint8Array> {
  const texts = ReadableStream.from(linesOf(pages));
  return texts.pipeThrough(new TextEncoderStream()) as globalThis.ReadableStream<Uint8Array>;
}

async function* linesOf(pages: AsyncIterable<readonly WholeMessage[]>): AsyncGenerator<string> {
  for await (const page of pages) {
    yield page.map((message) => `${JSON.stringify(message)}\n`).join("");
  }
}
