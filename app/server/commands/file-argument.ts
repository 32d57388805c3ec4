import { resolve } from "node:path";
import { StartError } from "#app/lib/start-error.ts";

/** The only argument, relative to the caller's folder, which npm changes. @throws {StartError} */
export function fileArgument(command: string): string {
  const [file, ...others] = process.argv.slice(2);
  if (file === undefined || others.length > 0) {
    throw new StartError(`Name one file: npm run ${command} -- FILE`);
  }
  return resolve(process.env["INIT_CWD"] ?? "", file);
}
