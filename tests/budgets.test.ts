import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { boxes } from "#app/models/inbox-limits.ts";
import type { Sql, SqlPool } from "#embedded/sql.ts";
import { fillInbox } from "./bench/inbox.ts";
import { tempFolder } from "./bench/servers.ts";

const messages = 100_000;
const newest = "select json_array_length(page) from public.read_inbox($1)";
const deep = "select json_array_length(page) from public.read_inbox($1, $2, $3)";

test.each(["force_custom_plan", "force_generic_plan"])(
  "reads any page of a large inbox from its index, and its size without counting (%s)",
  async (mode) => {
    await using folder = await tempFolder();
    await fillInbox(folder.path, messages, async (sql) => {
      await sql`select set_config('plan_cache_mode', ${mode}, false)`;
      await asReader(sql, async (reader) => {
        const halfway = new Date(Date.now() - (messages / 2) * 60_000).toISOString();
        const cursor = [halfway, randomUUID()];
        for (const [query, values] of boxes.flatMap((box) => [
          [newest, [box]] as const,
          [deep, [box, ...cursor]] as const,
        ])) {
          expect(await reader.unsafe(query, values)).toEqual([{ json_array_length: 51 }]);
          // The whole table is thousands of blocks.
          expect(blocks(await explain(reader, query, values))).toBeLessThan(200);
        }
        const fifth = String(messages / 5);
        expect(
          await reader`select messages, waiting, archived, spam, trash from public.read_inbox()`,
        ).toEqual([
          {
            messages: String((messages / 5) * 2),
            waiting: fifth,
            archived: fifth,
            spam: fifth,
            trash: fifth,
          },
        ]);
      });
    });
  },
  60_000,
);

/** As rest asks for a signed-in account: its role, its claims, and so the policies of both. */
function asReader(sql: SqlPool, use: (reader: Sql) => Promise<void>): Promise<unknown> {
  return sql.begin(async (transaction) => {
    const claims = JSON.stringify({ sub: randomUUID(), role: "authenticated", aal: "aal1" });
    await transaction`select set_config('request.jwt.claims', ${claims}, true)`;
    await transaction`set local role authenticated`;
    await use(transaction);
  });
}

async function explain(sql: Sql, query: string, values: readonly string[] = []): Promise<string> {
  // The first time, the policies' functions are still to be read and planned.
  await sql.unsafe(query, values);
  const lines = await sql.unsafe(`explain (analyze, buffers) ${query}`, values);
  return lines.map((line) => line["QUERY PLAN"]).join("\n");
}

/** How many blocks the whole query touched: its first line of buffers. */
function blocks(plan: string): number {
  const buffers = /Buffers: (.*)/.exec(plan)?.[1] ?? "";
  const counts = Array.from(buffers.matchAll(/(?:hit|read)=(\d+)/g), ([, count]) => Number(count));
  if (counts.length === 0) {
    throw new Error(`No buffers in ${plan}`);
  }
  return counts.reduce((sum, count) => sum + count, 0);
}
