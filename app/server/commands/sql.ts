import { createInterface } from "node:readline/promises";
import { text } from "node:stream/consumers";
import type { Sql } from "#embedded/sql.ts";
import { requireEmbedded } from "./embedded-only.ts";
import { openOwnDatabase } from "./own-database.ts";
import { runCommand } from "./run-command.ts";

const shownRows = 200;

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
  console.log("Your database, as role postgres. End a statement with ; and leave with Ctrl-D.");
  const lines = createInterface({ input: process.stdin, output: process.stdout, prompt: "sql> " });
  let statement = "";
  let isOpen = true;
  lines.once("close", () => (isOpen = false));
  lines.prompt();
  for await (const line of lines) {
    statement += `${line}\n`;
    if (statement.trim() === "" || /;\s*$/.test(line)) {
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
    return (await runSql(sql, await text(process.stdin), printLines)) ? 0 : 1;
  } finally {
    await close();
  }
});
