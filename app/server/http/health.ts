import type { BackupState } from "#app/site-contract.server.ts";

/** The response of /healthz. @param backups for requests from this machine only */
export function health(healthy: boolean, backups: BackupState | null | undefined): Response {
  const lastBackup = backups && {
    time: backups.at?.toISOString() ?? null,
    ageSeconds: backups.at ? Math.floor((Date.now() - backups.at.getTime()) / 1000) : null,
    failed: backups.fault !== undefined,
  };
  return Response.json(
    { process: "ok", database: healthy ? "ok" : "away", ...(lastBackup && { lastBackup }) },
    { status: healthy ? 200 : 503, headers: { "Cache-Control": "no-store" } },
  );
}
