import { randomUUID } from "node:crypto";
import type { Sql, TransactionSql } from "postgres";
import { expect, it } from "vitest";
import { fillInbox } from "./bench/inbox.ts";
import { tempFolder } from "./bench/servers.ts";

const messages = 100_000;
const newest = `
  select * from public.contact_messages where spam_reason is null
  order by created_at desc, id desc limit 51`;
const deep = `
  select * from public.contact_messages
  where spam_reason is null and created_at <= $1 and (created_at < $1 or id < $2)
  order by created_at desc, id desc limit 51`;

it("reads any page of a large inbox from its index, and its size without counting", async () => {
  await using folder = await tempFolder();
  await fillInbox(folder.path, messages, async (sql) => {
    await asReader(sql, async (reader) => {
      const halfway = new Date(Date.now() - (messages / 2) * 60_000).toISOString();
      for (const plan of [
        await explain(reader, newest),
        await explain(reader, deep, [halfway, randomUUID()]),
      ]) {
        expect(plan).toContain("contact_messages_newest");
        expect(plan).not.toContain("Seq Scan");
        expect(blocks(plan)).toBeLessThan(200);
      }
      expect(await reader`select messages from public.inbox_state()`).toEqual([
        { messages: String(messages) },
      ]);
      const plan = await explain(reader, "select * from public.inbox_state()");
      expect(blocks(plan)).toBeLessThan(200);
    });
  });
}, 60_000);

/** As rest asks for a signed-in account: its role, its claims, and so the policies of both. */
function asReader(sql: Sql, use: (reader: TransactionSql) => Promise<void>): Promise<unknown> {
  return sql.begin(async (transaction) => {
    const claims = JSON.stringify({ sub: randomUUID(), role: "authenticated", aal: "aal1" });
    await transaction`select set_config('request.jwt.claims', ${claims}, true)`;
    await transaction`set local role authenticated`;
    await use(transaction);
  });
}

async function explain(sql: TransactionSql, query: string, values: string[] = []): Promise<string> {
  // The first time, the policies' functions are still to be read and planned.
  await sql.unsafe(query, values);
  const lines = await sql.unsafe(`explain (analyze, buffers) ${query}`, values);
  return lines.map((line) => line["QUERY PLAN"]).join("\n");
}

/** How many blocks the whole query touched: its first line of buffers. */
function blocks(plan: string): number {
  const buffers = /Buffers: (.*)/.exec(plan)?.[1] ?? "";
  const counts = Array.from(buffers.matchAll(/(?:hit|read)=(\d+)/g), ([, count]) => Number(count));
  if (counts.length === 0) throw new Error(`No buffers in ${plan}`);
  return counts.reduce((sum, count) => sum + count, 0);
}
