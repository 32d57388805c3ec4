import { StartError } from "#app/lib/start-error.ts";
import { type Env, readEnv } from "#app/server/settings.ts";
import { StartError as DatabaseError } from "#embedded/engine/start-error.ts";

/** Runs a command, which returns its exit code. Prints only the message of a StartError. */
export async function runCommand(work: (env: Env) => Promise<number | void>): Promise<void> {
  try {
    process.exitCode = (await work(readEnv())) ?? 0;
  } catch (error) {
    if (!(error instanceof StartError || error instanceof DatabaseError)) {
      throw error;
    }
    console.error(error.message);
    process.exitCode = "exitCode" in error ? Number(error.exitCode) : 1;
  }
}
