/** A site for tests to kill, on the data folder in its argument. Prints "starting" and "ready". */
import { startNotes } from "./notes-site.ts";

const [dataDir] = process.argv.slice(2);
if (dataDir === undefined) {
  throw new Error("Name a data folder");
}
process.stdout.write("starting\n");
await startNotes({ dataDir });
process.stdout.write("ready\n");
