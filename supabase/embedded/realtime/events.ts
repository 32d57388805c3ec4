import { type Verdict } from "./checker.ts";
import { type Change, type Row } from "./pgoutput.ts";

/** Above this only small fields are sent, as the real server does (contract section 9). */
const MAX_CHANGE_BYTES = 1024 * 1024;
export const SMALL_FIELD_BYTES = 64;

/** Whether only the small fields of the change may be sent. */
export function isTooLarge({ bytes }: Change): boolean {
  return bytes > MAX_CHANGE_BYTES;
}

/** Where the two row images of a change stand in the verdict. */
export interface Images {
  row: number | undefined;
  old: number | undefined;
}

/** What a role learns of a change: all that it may select, only that it happened, or nothing. */
export type Access = "rows" | "fault" | "none";

/** Section 6 of the contract, points 1 to 3; `none` where the role may select nothing at all. */
export function accessOf(verdict: Verdict, role: string, type: Change["type"]): Access {
  const readable = verdict.columns.filter(({ readers }) => readers.includes(role));
  if (readable.length === 0) {
    return "none";
  }
  if (type === "DELETE") {
    return "rows";
  }
  return faultOf(verdict, role) ? "fault" : "rows";
}

function faultOf(verdict: Verdict, role: string): string | undefined {
  const keys = verdict.columns.filter(({ key }) => key);
  if (verdict.keys === 0 || keys.length < verdict.keys) {
    return "Error 400: Bad Request, no primary key";
  }
  return keys.every(({ readers }) => readers.includes(role))
    ? undefined
    : "Error 401: Unauthorized";
}

/**
 * The `data` of a change event as JSON text, for one role and one choice of columns
 * (contract section 5). With row level security on, the old row is only its primary key: nobody
 * can say whether the subscriber could see it then.
 */
export function eventData(
  change: Change,
  images: Images,
  verdict: Verdict,
  role: string,
  select: string[] | undefined,
): string {
  const { relation, type, commitTimestamp } = change;
  const head = `"schema":${JSON.stringify(relation.schema)},"table":${JSON.stringify(relation.table)},"type":"${type}"`;
  const fault = accessOf(verdict, role, type) === "fault" && faultOf(verdict, role);
  if (fault) {
    return `{${head},"errors":${JSON.stringify([fault])}}`;
  }

  const tooLarge = isTooLarge(change);
  const columns = verdict.columns
    .map((column, index) => ({ ...column, index }))
    .filter(
      ({ name, key, readers }) =>
        readers.includes(role) && (!select || key || select.includes(name)),
    );
  const record = (list: typeof columns, sources: [Row | undefined, number | undefined][]) => {
    const fields = list.flatMap(({ name, index }) => {
      for (const [row, image] of sources) {
        if (row?.[index] === undefined || image === undefined) {
          continue;
        }
        if (tooLarge && Buffer.byteLength(row[index] ?? "") > SMALL_FIELD_BYTES) {
          return [];
        }
        return [`${JSON.stringify(name)}:${verdict.values[image]?.[index] ?? "null"}`];
      }
      return [];
    });
    return `{${fields.join(",")}}`;
  };

  const parts = [
    head,
    `"commit_timestamp":"${commitTimestamp}"`,
    `"columns":${JSON.stringify(columns.map(({ name, type: of }) => ({ name, type: of })))}`,
  ];
  const now: [Row | undefined, number | undefined] = [change.row, images.row];
  const before: [Row | undefined, number | undefined] = [change.old, images.old];
  if (type !== "DELETE") {
    parts.push(`"record":${record(columns, [now, before])}`);
  }
  if (type !== "INSERT") {
    const keys = columns.filter(({ key }) => key);
    // Without an old row in the log the key has not changed.
    const old = change.old && !verdict.secured ? columns : keys;
    parts.push(`"old_record":${record(old, [before, now])}`);
  }
  parts.push(`"errors":${tooLarge ? '["Error 413: Payload Too Large"]' : "null"}`);
  return `{${parts.join(",")}}`;
}
