import { text } from "node:stream/consumers";
import type { Sql } from "#embedded/sql.ts";
import { openOwnDatabase } from "./own-database.ts";
import { requireEmbedded, runCommand } from "./run-command.ts";

/** What an owner looks for; the other tables are the site's own business. */
const tables = `select * from (values
  ('public.contact_messages', 'the messages'),
  ('private.site_owner', 'whose inbox it is'),
  ('private.limits', 'how much is allowed in what time'),
  ('private.notifications', 'what waits to be sent'),
  ('private.notification_channels', 'how the owner is told'),
  ('auth.users', 'the accounts')) as known ("table", "what it holds");`;

/** As in psql. */
const isAskingForTables = (input: string) => input.trim() === String.raw`\d`;

/** Runs statements and prints their rows as JSON lines. Returns false if one failed. */
async function runSql(sql: Sql, statements: string) {
  try {
    for (const { rows, command, rowCount } of await sql.script(statements)) {
      for (const row of rows) {
        console.log(JSON.stringify(row));
      }
      console.error(`${command ?? ""} ${rowCount ?? ""}`.trim());
    }
    return true;
  } catch (error) {
    const { message, code, hint } = error as { message: string; code?: string; hint?: string };
    console.error([`ERROR: ${message} (${code})`, hint].filter(Boolean).join("\n"));
    return false;
  }
}

await runCommand(async (env) => {
  requireEmbedded(env, "use the SQL editor of yours.");
  const { sql, close } = await openOwnDatabase(env);
  try {
    if (process.stdin.isTTY) {
      console.error(
        String.raw`Write statements, then Ctrl-D on a line of its own. \d lists the tables.`,
      );
    }
    const input = await text(process.stdin);
    return (await runSql(sql, isAskingForTables(input) ? tables : input)) ? 0 : 1;
  } finally {
    await close();
  }
});
