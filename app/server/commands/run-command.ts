import { resolve } from "node:path";
import { inspect } from "node:util";
import { StartError } from "#app/lib/start-error.ts";
import { type Env, readEnv } from "#app/server/settings.ts";

/**
 * Runs a command, which returns its exit code. Prints only the message of an error
 * that the caller can fix: a StartError, or one of the file system, which names its path. What it
 * prints contains texts of files and accounts, and a terminal must not execute any of them.
 */
export async function runCommand(work: (env: Env) => Promise<number | void>): Promise<void> {
  const { log, error: complain } = console;
  console.log = (line: string) => log(inert(line));
  console.error = (line: string) => complain(inert(line));
  try {
    process.exitCode = (await work(readEnv())) ?? 0;
  } catch (error) {
    const isKnown = error instanceof StartError || isOfFile(error);
    console.error(isKnown ? error.message : inspect(error));
    process.exit(1);
  }
}

/**
 * Writes control characters as JSON does, so that a line of JSON means the same. A line feed is one of them:
 * what is printed is one line.
 */
const inert = (text: string) =>
  text.replaceAll(
    /\p{Cc}/gu,
    (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

function isOfFile(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && "syscall" in error && "path" in error;
}

/** The only argument, relative to the caller's folder, which npm changes. @throws {StartError} */
export function fileArgument(command: string): string {
  const [file, ...others] = process.argv.slice(2);
  if (file === undefined || others.length > 0) {
    throw new StartError(`Name one file: npm run ${command} -- FILE`);
  }
  return resolve(process.env["INIT_CWD"] ?? "", file);
}
