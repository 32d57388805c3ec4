import { agoText, backupFault, type BackupState } from "#app/lib/backup-text.ts";
import { longDate } from "#app/models/date.server.ts";

export function describeBackups(state: BackupState | null, now = Date.now()) {
  const time = state?.at?.toISOString();
  return {
    isSetUp: state !== null,
    fault: state ? backupFault(state, now) : undefined,
    newest: state?.at && time && { time, date: longDate(time), ago: agoText(state.at, now) },
  };
}
