import { afterAll, expect, test } from "vitest";
import { databaseTypes } from "#tests/support/database-types.ts";
import { startTestDatabase } from "#tests/support/database.ts";

const database = await startTestDatabase();
afterAll(() => database.close());

// If this fails after a new migration, run npm run types.
test("database.types.ts matches the catalog", async () => {
  const types = await databaseTypes(database.sql);
  await expect(types).toMatchFileSnapshot("../../supabase/database.types.ts");
});
