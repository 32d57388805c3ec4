import { afterAll, beforeAll, expect, test } from "vitest";
import { databaseTypes } from "#tests/support/database-types.ts";
import { startTestDatabase, type TestDatabase } from "#tests/support/database.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database.close());

// If this fails after a new migration, run npm run types.
test("database.types.ts matches the catalog", async () => {
  const types = await databaseTypes(database.sql);
  await expect(types).toMatchFileSnapshot("../../supabase/database.types.ts");
});
