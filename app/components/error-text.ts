import { isRouteErrorResponse } from "react-router";

/** The text of an error: its status, or its message without the stack. */
export function errorText(error: unknown): string {
  if (isRouteErrorResponse(error)) {
    return `${error.status} ${error.statusText}`;
  }
  return error instanceof Error ? error.message : "Unknown Error";
}
