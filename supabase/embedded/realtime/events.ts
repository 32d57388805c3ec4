import type { Change, RowVersion, RowVersions, VisibilityResult } from "./types.ts";

// Larger changes are sent with their small fields only, as on hosted Supabase.
const maxChangeBytes = 1024 * 1024;
export const smallFieldBytes = 64;

export function isTooLarge({ bytes }: Change): boolean {
  return bytes > maxChangeBytes;
}

export type Access = "rows" | "error" | "none";

/** Returns what a role may receive of a change (CONTRACT.md, "Visibility"). */
export function accessOf(result: VisibilityResult, role: string, type: Change["type"]): Access {
  if (!result.columns.some(({ readers }) => readers.includes(role))) {
    return "none";
  }
  if (type === "DELETE") {
    return "rows";
  }
  return errorOf(result, role) ? "error" : "rows";
}

function errorOf(result: VisibilityResult, role: string): string | undefined {
  const keys = result.columns.filter(({ key }) => key);
  if (result.keys === 0 || keys.length < result.keys) {
    return "Error 400: Bad Request, no primary key";
  }
  return keys.every(({ readers }) => readers.includes(role))
    ? undefined
    : "Error 401: Unauthorized";
}

/** Returns `data` of a change event as JSON text (CONTRACT.md, "Change events"). */
export function eventData(
  change: Change,
  versions: RowVersions,
  result: VisibilityResult,
  role: string,
  select: string[] | undefined,
): string {
  const { relation, type, commitTimestamp } = change;
  const head = `"schema":${JSON.stringify(relation.schema)},"table":${JSON.stringify(relation.table)},"type":"${type}"`;
  const error = accessOf(result, role, type) === "error" && errorOf(result, role);
  if (error) {
    return `{${head},"errors":${JSON.stringify([error])}}`;
  }

  const tooLarge = isTooLarge(change);
  const columns = result.columns
    .map((column, index) => ({ ...column, index }))
    .filter(
      ({ name, key, readers }) =>
        readers.includes(role) && (!select || key || select.includes(name)),
    );
  const newSource: Source = { row: change.newRow, version: versions.newRow };
  const oldSource: Source = { row: change.oldRow, version: versions.oldRow };
  const record = (list: typeof columns, sources: Source[]) => {
    const fields = list.flatMap(({ name, index }) => {
      for (const { row, version } of sources) {
        if (row?.[index] === undefined || version === undefined) {
          continue;
        }
        if (tooLarge && Buffer.byteLength(row[index] ?? "") > smallFieldBytes) {
          return [];
        }
        return [`${JSON.stringify(name)}:${result.values[version]?.[index] ?? "null"}`];
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
  if (type !== "DELETE") {
    parts.push(`"record":${record(columns, [newSource, oldSource])}`);
  }
  if (type !== "INSERT") {
    // The log has no old row if the key is unchanged.
    const isWhole = change.oldRow && !result.secured;
    const list = isWhole ? columns : columns.filter(({ key }) => key);
    parts.push(`"old_record":${record(list, [oldSource, newSource])}`);
  }
  parts.push(`"errors":${tooLarge ? '["Error 413: Payload Too Large"]' : "null"}`);
  return `{${parts.join(",")}}`;
}

interface Source {
  row: RowVersion | undefined;
  version: number | undefined;
}
