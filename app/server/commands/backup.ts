import { log } from "#app/lib/log.server.ts";
import { StartError } from "#app/lib/start-error.ts";
import { backupPlace } from "#app/server/backup-place.ts";
import { backUp } from "#embedded/backup/back-up.ts";
import manifest from "#package.json" with { type: "json" };
import { requireEmbedded, runCommand } from "./run-command.ts";

await runCommand(async (env) => {
  requireEmbedded(env, "back yours up where it runs.");
  const place = backupPlace(env);
  if (place === undefined) {
    throw new StartError("Set BACKUP_DIR to the folder for backups, best on another disk.");
  }
  const { path, bytes, removed } = await backUp({
    dataDir: env.DATA_DIR,
    place,
    passphrase: env.BACKUP_PASSPHRASE,
    version: manifest.version,
    isByHand: !process.argv.includes("--nightly"),
    log,
  });
  console.log(`${path} is complete and verified, ${(bytes / 1e6).toFixed(1)} MB.`);
  for (const old of removed) {
    console.log(`${old} was removed, newer ones take its place.`);
  }
});
