import { inspect } from "node:util";

import postgres from "postgres";

/** Codes and classes that lite maps to a status itself, as PostgREST does. */
const MAPPED_BY_LITE = /^(PGRST$|PT|42|22|21|23502|23503|23505|25006|53|55)/;

/** PostgREST, "HTTP Status Codes": by code, else by class, else 400. */
const STATUS: Record<string, number> = {
  "08": 503,
  "09": 500,
  "0L": 403,
  "0P": 403,
  "25": 500,
  "28": 403,
  "2D": 500,
  "38": 500,
  "39": 500,
  "3B": 500,
  "40": 500,
  "54": 500,
  "57": 500,
  // Not PostgREST's 500: the server stops, crashed or starts, and the client may try again.
  "57P01": 503,
  "57P02": 503,
  "57P03": 503,
  "58": 500,
  F0: 500,
  HV: 500,
  P0001: 400,
  P0: 500,
  XX: 500,
};

interface Shown {
  code: string;
  message: string;
  details: string | null;
  hint: string | null;
}

/**
 * Makes a database error fit for lite: its printed form names the SQLSTATE alone, never a value
 * or a statement; codes that lite would answer with a bare 500 become the answer of PostgREST,
 * carried by its own `raise sqlstate 'PGRST'` convention.
 */
export function readableFault(error: unknown): unknown {
  if (!(error instanceof Error)) {
    return error;
  }
  if (error instanceof postgres.PostgresError) {
    return ofStatement(error);
  }
  if (isConnectionFault(error)) {
    return answer(503, {
      code: "PGRST001",
      message: "Database client error. Retrying the connection.",
      details: null,
      hint: null,
    });
  }
  return printedAs(error, error.name);
}

function ofStatement(error: postgres.PostgresError): unknown {
  const code = error.code;
  if (MAPPED_BY_LITE.test(code)) {
    return printedAs(error, code);
  }
  return answer(STATUS[code] ?? STATUS[code.slice(0, 2)] ?? 400, {
    code,
    message: error.message,
    details: error.detail ?? null,
    hint: error.hint ?? null,
  });
}

function isConnectionFault(error: Error): boolean {
  const { code, errno } = error as NodeJS.ErrnoException;
  return errno !== undefined || /^(CONNECTION_|CONNECT_TIMEOUT)/.test(String(code));
}

function answer(status: number, shown: Shown): object {
  const carried = {
    code: "PGRST",
    message: JSON.stringify(shown),
    detail: JSON.stringify({ status, headers: {} }),
  };
  return printedAs(carried, shown.code);
}

function printedAs<T extends object>(error: T, code: string): T {
  return Object.defineProperty(error, inspect.custom, {
    value: () => `rest: a request failed with ${code}`,
    enumerable: false,
  });
}
