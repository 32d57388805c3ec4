import { RestError } from "#embedded/rest/errors.ts";

/** The error of what fails, without its stack. */
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
