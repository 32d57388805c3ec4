import { isRouteErrorResponse } from "react-router";

/** What a person may read of an error: a status, or a message without its stack. */
export function errorText(error: unknown): string {
  if (isRouteErrorResponse(error)) {
    return `${error.status} ${error.statusText}`;
  }
  return error instanceof Error ? error.message : "Unknown Error";
}
