import { createInterface } from "node:readline/promises";
import { text } from "node:stream/consumers";
import type { Sql } from "#embedded/sql.ts";
import { openOwnDatabase } from "./own-database.ts";
import { requireEmbedded, runCommand } from "./run-command.ts";

const shownRows = 200;

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

/** Runs statements and prints their rows. Returns false if one failed. */
async function runSql(sql: Sql, statements: string, print: (rows: object[]) => void) {
  try {
    for (const { rows, command, rowCount } of await sql.script(statements)) {
      if (rows.length > 0) {
        print(rows);
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

function printTable(rows: object[]): void {
  console.table(rows.slice(0, shownRows));
  if (rows.length > shownRows) {
    console.log(`… and ${rows.length - shownRows} more rows`);
  }
}

function printLines(rows: object[]): void {
  for (const row of rows) {
    console.log(JSON.stringify(row));
  }
}

/** A statement ends with a semicolon at the end of a line. */
async function prompt(sql: Sql): Promise<void> {
  console.log(
    String.raw`Your database, as role postgres. End a statement with ; and leave with \q. \d lists the tables.`,
  );
  const lines = createInterface({ input: process.stdin, output: process.stdout, prompt: "sql> " });
  let statement = "";
  let isOpen = true;
  lines.once("close", () => (isOpen = false));
  lines.prompt();
  for await (const line of lines) {
    if (line.trim() === String.raw`\q`) {
      break;
    }
    statement += `${isAskingForTables(line) ? tables : line}\n`;
    if (statement.trim() === "" || /;\s*$/.test(statement)) {
      await runSql(sql, statement, printTable);
      statement = "";
    }
    lines.setPrompt(statement === "" ? "sql> " : "  -> ");
    // Ctrl-D may come while a statement runs.
    if (isOpen) {
      lines.prompt();
    }
  }
}

await runCommand(async (env) => {
  requireEmbedded(env, "use the SQL editor of yours.");
  const { sql, close } = await openOwnDatabase(env);
  try {
    if (process.stdin.isTTY) {
      await prompt(sql);
      return 0;
    }
    const input = await text(process.stdin);
    const statements = isAskingForTables(input) ? tables : input;
    return (await runSql(sql, statements, printLines)) ? 0 : 1;
  } finally {
    await close();
  }
});
