import { text } from "node:stream/consumers";
import type { Client, QueryResult } from "pg";
import { openOwnDatabase } from "./own-database.ts";
import { runCommand } from "./run-command.ts";

/** The tables that an owner needs. The others are internal. */
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
async function runSql(client: Client, statements: string) {
  try {
    // pg returns one result, or one for each statement, which its types do not say.
    const results: QueryResult[] = [await client.query(statements)].flat();
    for (const { rows, command, rowCount } of results) {
      for (const row of rows) {
        console.log(JSON.stringify(row));
      }
      console.error(`${command ?? ""} ${rowCount ?? ""}`.trim());
    }
    return true;
  } catch (error) {
    const { message, code, hint } = error as { message: string; code?: string; hint?: string };
    console.error(`ERROR: ${message} (${code})`);
    if (hint) {
      console.error(hint);
    }
    return false;
  }
}

await runCommand(async (env) => {
  await using database = await openOwnDatabase(env);
  if (process.stdin.isTTY) {
    console.error(
      String.raw`Write statements, then Ctrl-D on a line of its own. \d lists the tables.`,
    );
  }
  const input = await text(process.stdin);
  return (await runSql(database.client, isAskingForTables(input) ? tables : input)) ? 0 : 1;
});
