export { recordingLog, silentLog } from "embedded-supabase/testing";
