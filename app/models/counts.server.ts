import { owner } from "#app/content/owner.ts";
import { linkedChannels } from "#app/content/shown.ts";
import type { Backend, Counters } from "#app/site-contract.server.ts";
import { dataOf } from "./data-of.server.ts";
import { dayDate, fileDate } from "./date.server.ts";
import { readPrivacyTerms } from "./privacy.server.ts";
import type { Supabase } from "./supabase.ts";

const shownDays = 28;

/** The links whose taps are counted, with their names: the call to action, and each kind of channel. */
export const tapNames: ReadonlyMap<string, string> = new Map([
  ["chat", "بدء المشروع"],
  ...linkedChannels(owner.channels).map(({ icon, name }) => [icon, name] as const),
]);

/** The numbers of the last 28 days, with those of `counters` that are not stored yet. @throws {Response} */
export async function readCounts(
  supabase: Supabase,
  site: Pick<Backend, "callAsSite">,
  { unsaved }: Pick<Counters, "unsaved">,
) {
  const days = lastDays();
  const [counts, terms] = await Promise.all([
    supabase.rpc("read_counts", { since: days[0] ?? "" }),
    readPrivacyTerms(site),
  ]);
  const rows = dataOf(counts, "The counts were not read");
  const added = (day: string, what: string) =>
    terms.is_counting && day === days.at(-1) ? (unsaved.get(what) ?? 0) : 0;
  const timesOf = (what: string) =>
    days.map(
      (day) =>
        (rows.find((row) => row.day === day && row.what === what)?.times ?? 0) + added(day, what),
    );
  const names = new Map([["view", "مشاهدات الصفحة"], ...tapNames]);
  return {
    isOn: terms.is_counting,
    days: days.map((day) => ({ day, date: dayDate(day) })),
    lines: Array.from(names, ([what, name]) => ({ what, name, times: timesOf(what) })),
  };
}

export type Counts = Awaited<ReturnType<typeof readCounts>>;

/** Stops or continues the counting, for the owner. @throws {Response} */
export async function switchCounting(supabase: Supabase, isOn: boolean): Promise<void> {
  const result = await supabase.rpc("switch_counting", { is_on: isOn });
  dataOf(result, "The counting was not switched");
}

/** Deletes all numbers, for the owner. @throws {Response} */
export async function resetCounts(supabase: Supabase): Promise<void> {
  dataOf(await supabase.rpc("reset_counts"), "The counts were not reset");
}

/** The days up to today in the owner's time zone, as 2026-11-22, oldest first. */
function lastDays(): string[] {
  const today = Date.parse(fileDate(new Date()));
  return Array.from({ length: shownDays }, (_, index) =>
    new Date(today - (shownDays - 1 - index) * 86_400_000).toISOString().slice(0, 10),
  );
}
