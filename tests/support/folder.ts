export { tempFolder } from "#embedded/testing.ts";
