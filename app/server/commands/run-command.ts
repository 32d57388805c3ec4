import { type Env, readEnv } from "#app/server/settings.ts";

/** Runs a command, which returns its exit code. A StartError is one sentence on standard error. */
export async function runCommand(work: (env: Env) => Promise<number | void>): Promise<void> {
  try {
    process.exitCode = (await work(readEnv())) ?? 0;
  } catch (error) {
    // There are two classes of this name, the site's and the embedded Supabase's.
    if (!(error instanceof Error && error.name === "StartError")) {
      throw error;
    }
    console.error(error.message);
    process.exitCode = "exitCode" in error ? Number(error.exitCode) : 1;
  }
}
