import { importRows } from "#supabase/transfer/import.ts";
import { openOwnDatabase } from "./own-database.ts";
import { fileArgument, runCommand } from "./run-command.ts";

await runCommand(async (env) => {
  const file = fileArgument("import");
  const { sql, keys, close } = await openOwnDatabase(env);
  try {
    const { header, counts } = await importRows(sql, file, keys);
    for (const [table, { added, skipped }] of counts) {
      console.log(`${table}: ${added} added, ${skipped} left out or there already`);
    }
    if (header.factors > 0 && header.keys !== keys) {
      console.log(
        `Second factors stay behind, their secrets are sealed with other keys: ${header.factors} accounts have none until they add one again.`,
      );
    }
    const [row] = await sql<{ foreign: number }>`
      select count(*)::int as foreign from auth.users where encrypted_password not like '$argon2%'`;
    if (keys !== null && row && row.foreign > 0) {
      console.log(
        `${row.foreign} accounts have a password hash that only hosted Supabase reads: they set a new password by mail.`,
      );
    }
  } finally {
    await close();
  }
});
