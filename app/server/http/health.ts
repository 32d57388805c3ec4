import type { BackupState, Site } from "#app/site-contract.server.ts";
import manifest from "#package.json" with { type: "json" };

const state = (answers: boolean) => (answers ? "ok" : "down");

/** PostgreSQL writes its log in files of this size, and stores no message without room for one. */
const leastFreeBytes = 16 * 1024 * 1024;

// Anyone may ask, and each answer needs a new connection to the database.
const askEveryMs = 1000;

/**
 * Returns a function that makes the response of /healthz: 503 if no message can be stored or nobody can
 * sign in. Its parameter is whether it is for this machine, which may know more.
 */
export function healthOf({ backend, notifications }: Pick<Site, "backend" | "notifications">) {
  const ask = () => Promise.all([backend.health(), backend.freeBytes?.()]);
  let asked: { at: number; answer: ReturnType<typeof ask> } | undefined;
  return async (isLocal: boolean): Promise<Response> => {
    if (!asked || performance.now() - asked.at >= askEveryMs) {
      asked = { at: performance.now(), answer: ask() };
    }
    const [{ database, authentication, live }, freeBytes] = await asked.answer;
    const disk = diskFault(freeBytes);
    const backups = isLocal ? await backend.backups?.() : undefined;
    return Response.json(
      {
        process: "ok",
        database: state(database),
        ...(authentication !== undefined && { authentication: state(authentication) }),
        ...(live !== undefined && { live: state(live) }),
        ...(disk && { disk }),
        ...(backups && { lastBackup: backupState(backups) }),
        ...(isLocal && {
          version: manifest.version,
          freeBytes,
          failedNotifications: notifications.failed(),
        }),
      },
      {
        status: database && authentication !== false && !disk ? 200 : 503,
        headers: { "Cache-Control": "no-store" },
      },
    );
  };
}

function diskFault(freeBytes: number | null | undefined): "full" | "down" | undefined {
  if (freeBytes === null) {
    return "down";
  }
  return freeBytes !== undefined && freeBytes < leastFreeBytes ? "full" : undefined;
}

const backupState = ({ at, fault }: BackupState) => ({
  time: at?.toISOString() ?? null,
  ageSeconds: at ? Math.floor((Date.now() - at.getTime()) / 1000) : null,
  failed: fault !== undefined,
});
