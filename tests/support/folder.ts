export { tempFolder } from "embedded-supabase/testing";
