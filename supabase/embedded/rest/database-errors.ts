import postgres from "postgres";
import { z } from "zod";
import { RestError } from "./errors.ts";
import { allowedHeaders, isStatus } from "./overrides.ts";

/** PostgREST's HTTP status by SQLSTATE or its class; 400 for all others. */
const statuses: ReadonlyMap<string, number> = new Map([
  ["08", 503],
  ["09", 500],
  ["0L", 403],
  ["0P", 403],
  ["23503", 409],
  ["23505", 409],
  ["25006", 405],
  ["21000", 500],
  ["25", 500],
  ["28", 403],
  ["2D", 500],
  ["38", 500],
  ["39", 500],
  ["3B", 500],
  ["40", 500],
  ["53400", 500],
  ["53", 503],
  ["54", 500],
  ["55", 500],
  ["57P01", 503],
  // Differs from PostgREST (500): the server is stopping, starting or crashed, so a retry helps.
  ["57P02", 503],
  ["57P03", 503],
  ["57", 500],
  ["58", 500],
  ["F0", 500],
  ["HV", 500],
  ["P0001", 400],
  ["P0", 500],
  ["XX", 500],
  ["42883", 404],
  ["42P01", 404],
  ["42P17", 500],
]);

const raisedSchema = z.object({
  code: z.string(),
  message: z.string(),
  details: z.string().nullish(),
  hint: z.string().nullish(),
});
const raisedDetailSchema = z.object({
  status: z.number().refine(isStatus),
  headers: z.record(z.string(), z.string()).default({}),
});

/** Converts a driver error to PostgREST's response for `role`. Undefined for other errors. */
export function fromDriverError(error: unknown, role: string): RestError | undefined {
  if (error instanceof postgres.PostgresError) {
    return ofStatement(error, role);
  }
  if (!(error instanceof Error) || !isOfConnection(error)) {
    return undefined;
  }
  return new RestError(503, {
    code: "PGRST001",
    message: "Database client error. Retrying the connection.",
    headers: { "Retry-After": "1" },
  });
}

function ofStatement(error: postgres.PostgresError, role: string): RestError {
  const { code, message, detail, hint } = error;
  if (code === "PGRST") {
    return raised(message, detail);
  }
  const status = statusOf(error, role);
  // The detail of a constraint error quotes the row, which anon may not be allowed to see.
  const details = role === "anon" && code.startsWith("23") ? null : (detail ?? null);
  return new RestError(status, {
    code,
    message,
    details,
    hint: hint ?? null,
    headers: {
      ...(status === 401 && { "WWW-Authenticate": "Bearer" }),
      ...(status === 429 && /^\d{1,9}$/.test(detail ?? "") && { "Retry-After": detail ?? "" }),
      ...(status === 503 && { "Retry-After": "1" }),
    },
  });
}

function statusOf({ code, message }: postgres.PostgresError, role: string): number {
  if (code.startsWith("PT")) {
    const status = Number(code.slice(2));
    return isStatus(status) ? status : 500;
  }
  if (code === "42501") {
    return role === "anon" ? 401 : 403;
  }
  if (code === "21000" && message.endsWith("requires a WHERE clause")) {
    return 400;
  }
  if (code === "22023" && /^role ".*" does not exist$/s.test(message)) {
    return 401;
  }
  return statuses.get(code) ?? statuses.get(code.slice(0, 2)) ?? 400;
}

/** `raise sqlstate 'PGRST'` puts the response into message and detail as JSON. */
function raised(message: string, detail: string | undefined): RestError {
  try {
    const { status, headers } = raisedDetailSchema.parse(JSON.parse(detail ?? ""));
    const { details = null, hint = null, ...rest } = raisedSchema.parse(JSON.parse(message));
    return new RestError(status, {
      ...rest,
      details,
      hint,
      headers: allowedHeaders(Object.entries(headers)),
    });
  } catch {
    return new RestError(500, {
      code: "PGRST121",
      message: "Could not parse JSON in the \"RAISE SQLSTATE 'PGRST'\" error",
    });
  }
}

function isOfConnection(error: Error): boolean {
  const { code, errno } = error as NodeJS.ErrnoException;
  return errno !== undefined || /^(CONNECTION_|CONNECT_TIMEOUT)/.test(String(code));
}
