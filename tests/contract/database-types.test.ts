import { afterAll, beforeAll, expect, test } from "vitest";
import { databaseTypes } from "#tests/support/database-types.ts";
import { startTestDatabase, type TestDatabase } from "#tests/support/database.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database.close());

// When it fails after a change of the migrations: npm run types.
test("the types are those of the catalog", async () => {
  const types = await databaseTypes(database.sql);
  await expect(types).toMatchFileSnapshot("../../supabase/database.types.ts");
});
