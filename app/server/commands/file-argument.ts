import { resolve } from "node:path";
import { StartError } from "#app/lib/start-error.ts";

/** The one file that was named, from where the owner typed: npm changes the folder. @throws {StartError} */
export function fileArgument(command: string): string {
  const [file, ...others] = process.argv.slice(2);
  if (file === undefined || others.length > 0) {
    throw new StartError(`Name one file: npm run ${command} -- FILE`);
  }
  return resolve(process.env["INIT_CWD"] ?? "", file);
}
