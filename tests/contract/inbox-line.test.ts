import * as fc from "fast-check";
import { afterAll, beforeEach, expect, test } from "vitest";
import { weekDays } from "#app/lib/working-time.ts";
import { promiseWith } from "#app/models/promise.server.ts";
import { placeOfLine } from "#app/routes/admin/line-place.ts";
import { asAccount, startInbox, store } from "#tests/support/inbox.ts";

const { database, owner, stranger } = await startInbox();
afterAll(() => database.close());
beforeEach(async () => {
  await database.sql`delete from public.contact_messages`;
});

const now = Date.parse("2026-11-24T10:00:00Z");
const hoursAgo = (hours: number) => new Date(now - hours * 60 * 60 * 1000);
const bounds = { late: hoursAgo(24).toISOString(), old: hoursAgo(48).toISOString() };

async function read(account: string, { late, old } = bounds, open?: string) {
  const [row] = await asAccount(
    database,
    account,
    (sql) => sql`
      select opened, line from public.read_inbox(
        open => ${open ?? null}::text::uuid, late_before => ${late}, old_before => ${old})`,
  );
  return row as {
    opened: { message: string; note: string } | null;
    line: Parameters<ReturnType<typeof promiseWith>["lineOf"]>[0];
  };
}

const opened = async (account: string, id: string) => (await read(account, bounds, id)).opened;

test("the owner reads what is late and what is old, of what waits, and what is beside the line", async () => {
  const at = (hours: number, rest: object = {}) => ({
    message: `${hours}`,
    created_at: hoursAgo(hours),
    ...rest,
  });
  const waiting = [1, 20, 24, 25, 26, 48, 49, 50, 51];
  const ids = await store(database, [
    ...waiting.map((hours) => at(hours)),
    at(22, { answered_at: hoursAgo(0) }),
    at(29, { archived_at: hoursAgo(0) }),
    at(30, { deleted_at: hoursAgo(0) }),
    at(31, { spam_signs: ["trap"], spam_at: hoursAgo(0) }),
  ]);
  const { line } = await read(owner);
  expect(line).toMatchObject({ late: 3, old: 3 });
  expect([line.above?.id, line.below?.id]).toEqual([ids[2], ids[3]]);
});

test("with nothing that waits there is no place for it", async () => {
  expect((await read(owner)).line).toEqual({ late: 0, old: 0, below: null, above: null });
});

test("only the owner reads it, and only if it is asked for", async () => {
  await store(database, [{ message: "1" }]);
  expect((await read(stranger)).line).toBeNull();
  const [row] = await asAccount(database, owner, (sql) => sql`select * from public.read_inbox()`);
  expect(row).toMatchObject({ opened: null, line: null });
});

const two = (value: number) => String(value).padStart(2, "0");
const promises = fc.record({
  hours: fc.integer({ min: 1, max: 80 }),
  days: fc.subarray([...weekDays], { minLength: 1 }),
  from: fc.integer({ min: 0, max: 11 }).map((hour) => `${two(hour)}:00`),
  to: fc.integer({ min: 12, max: 23 }).map((hour) => `${two(hour)}:45`),
  absences: fc.array(
    fc.integer({ min: 0, max: 60 }).map((day) => {
      const date = hoursAgo(day * 24)
        .toISOString()
        .slice(0, 10);
      return { first: date, last: date };
    }),
    { maxLength: 10 },
  ),
});
// In all time zones but the first, the clocks changed in October or November.
const zones = fc.constantFrom("Asia/Riyadh", "Africa/Cairo", "Europe/Berlin", "America/New_York");
// Several messages have the same instant, and most are of the last weeks.
const arrivals = fc.array(
  fc.oneof(fc.integer({ min: 0, max: 24 * 14 }), fc.integer({ min: 0, max: 24 * 60 })),
  { minLength: 1, maxLength: 120 },
);

test("for all hours, absences and zones, the list above the line is in time and below it is late", async () => {
  await fc.assert(
    fc.asyncProperty(
      promises,
      promises,
      zones,
      arrivals,
      async (promised, changed, zone, hours) => {
        await database.sql`delete from public.contact_messages`;
        await database.superuser`
        insert into public.contact_messages (name, email, message, created_at)
        select 'n', 'n@example.com', hours || ' ' || n, ${hoursAgo(0)}::timestamptz - hours * interval '1 hour'
        from unnest(${hours}::integer[]) with ordinality as arrived (hours, n)`;
        const list = await waitingList();
        // Other working hours move only the line: the list is the same for both.
        for (const one of [promised, changed]) {
          const { absences, ...promise } = one;
          const { dueOf, boundsAt, lineOf } = promiseWith(promise, zone, absences);
          const { line: found } = await read(owner, boundsAt(now));
          const dues = list.map((row) => dueOf(row, now));
          const inTime = dues.filter(({ lit }) => lit > 0).length;
          const old = dues.filter(({ isOld }) => isOld).length;
          // The number of lit points falls from row to row, and old messages come last.
          expect(dues.map(({ lit }) => lit)).toEqual(
            dues.map(({ lit }) => lit).toSorted((a, b) => b - a),
          );
          expect(dues.findIndex(({ isOld }) => isOld)).toBe(old === 0 ? -1 : list.length - old);
          expect(found).toMatchObject({ late: list.length - inTime - old, old });
          const line = lineOf(found, now);
          expect([line?.above, line?.below]).toEqual([list[inTime - 1], list[inTime]]);
          expect(line && placeOfLine(line, list)).toMatchObject({ index: inTime, isHere: true });
        }
      },
    ),
    { numRuns: 40 },
  );
});

/** All of «بانتظار ردك». */
async function waitingList() {
  const [row] = await asAccount(
    database,
    owner,
    (sql) => sql`select page from public.read_inbox('waiting', most => 1000)`,
  );
  const { page } = row as { page: { id: string; created_at: string }[] };
  return page.map(({ id, created_at }) => ({ id, created_at }));
}

test("one message is read in whatever box it lies, by those who may read it", async () => {
  const [id = "", deleted = ""] = await store(database, [
    { message: "shown", note: "ملاحظة" },
    { message: "deleted", deleted_at: hoursAgo(0) },
  ]);
  expect(await opened(owner, id)).toMatchObject({ message: "shown", note: "ملاحظة" });
  expect(await opened(owner, deleted)).toMatchObject({ message: "deleted" });
  expect(await opened(stranger, id)).toBeNull();
  expect(await opened(owner, "11111111-2222-4333-8444-555555555555")).toBeNull();
});
