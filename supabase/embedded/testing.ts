// What tests outside of this folder may use besides the two entries.

export { createAuth } from "./auth/index.ts";
export type { Limits } from "./auth/limits.ts";
export type { Mail } from "./auth/mail.ts";
export {
  accessTokenSeconds,
  mailedCodeDigits,
  mailedTokenSeconds,
  maxFactors,
  passwordLength,
  refreshReuseSeconds,
} from "./auth/constants.ts";
export { listCalls, unlistedCall } from "./calls.ts";
export type { Pools } from "./database.ts";
export { prepareDatabase } from "./engine/bootstrap.ts";
export { ensureCluster } from "./engine/initdb.ts";
export { runMigrations } from "./engine/migrations.ts";
export { openPostgres } from "./engine/open-postgres.ts";
export { findPaths, openDataDir } from "./engine/paths.ts";
export { findPostgres, signalAll } from "./engine/processes.ts";
export { socketPath } from "./engine/socket-folder.ts";
export { connectAsSuperuser } from "./engine/superuser.ts";
export { loadKeys } from "./keys.ts";
export { createRest } from "./rest/index.ts";
export { part, rawPart, type Part } from "./sql-text.ts";
export { openPool, type Sql, type SqlPool } from "./sql.ts";
export { signAccessToken, type AccessClaims } from "./tokens.ts";
export {
  type Client,
  codeOf,
  enrol,
  enrolVerified,
  isSignedOut,
  newClient,
  newEmail,
  password,
  present,
  prove,
  proved,
  send,
  signIn,
  signUp,
} from "./tests/support/accounts.ts";
export { movableClock } from "./tests/support/clock.ts";
export { startDatabase } from "./tests/support/database.ts";
export { tempFolder } from "./tests/support/folder.ts";
export { recordingLog, silentLog } from "./tests/support/log.ts";
export { copyEmptyCluster, copyMadeCluster } from "./tests/support/made-cluster.ts";
export { mailNumber, mailsTo } from "./tests/support/mails.ts";
export { noLimits } from "./tests/support/notes-site.ts";
export {
  childrenOf,
  isAlive,
  isRoot,
  postmasterPid,
  socketFolder,
} from "./tests/support/processes.ts";
export { openSuperuser, superuserPassword } from "./tests/support/superuser.ts";
