import { RestError } from "#embedded/rest/errors.ts";

/** Returns the error that `read` throws, without its stack. */
export function refusal(read: () => unknown) {
  try {
    read();
  } catch (error) {
    if (error instanceof RestError) {
      const { status, code, message, details } = error;
      return { status, code, message, details };
    }
    throw error;
  }
  return "nothing was refused";
}
