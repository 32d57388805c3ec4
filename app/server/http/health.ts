import type { BackupState, Health } from "#app/site-contract.server.ts";

const state = (answers: boolean) => (answers ? "ok" : "away");

/** PostgreSQL writes its log in files of this size, and stores no message without a place for one. */
const leastFreeBytes = 16 * 1024 * 1024;

/**
 * The response of /healthz: 503 if no message can be stored or nobody can sign in.
 * @param freeBytes on the disk of the data folder; undefined for an outside Supabase
 * @param backups for requests from this machine only
 */
export function health(
  { database, authentication }: Health,
  freeBytes: number | undefined,
  backups: BackupState | null | undefined,
): Response {
  const isFull = freeBytes !== undefined && freeBytes < leastFreeBytes;
  const lastBackup = backups && {
    time: backups.at?.toISOString() ?? null,
    ageSeconds: backups.at ? Math.floor((Date.now() - backups.at.getTime()) / 1000) : null,
    failed: backups.fault !== undefined,
  };
  return Response.json(
    {
      process: "ok",
      database: state(database),
      ...(authentication !== undefined && { authentication: state(authentication) }),
      ...(isFull && { disk: "full" }),
      ...(lastBackup && { lastBackup }),
    },
    {
      status: database && authentication !== false && !isFull ? 200 : 503,
      headers: { "Cache-Control": "no-store" },
    },
  );
}
