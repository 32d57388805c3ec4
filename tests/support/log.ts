export { recordingLog, silentLog } from "#embedded/testing.ts";
