import { randomUUID } from "node:crypto";
import { openDirect } from "./direct.ts";
import { type Budget, median, percent } from "./measure.ts";
import { perSecond } from "./rest.ts";

const rounds = 7;

/** A typical message of about two hundred letters. */
const newText = () =>
  `السلام عليكم، عندي متجر عبايات في الرياض وأحتاج صفحة هبوط للموسم القادم. كم تستغرق، وكم تكلف؟ أرسل لي نماذج من أعمالك السابقة رقم ${randomUUID()}، وموعدًا مناسبًا للاتصال هذا الأسبوع لو سمحت. شكرًا لك مقدمًا.`;

export interface Insertion {
  share: number;
  /** Per second. */
  kept: number;
  left: number;
}

export const insertNote = ({ share, kept, left }: Insertion) =>
  `Inserts of messages of two hundred letters into a million: ${kept.toFixed(0)} per second with the word index, ${left.toFixed(0)} without, so ${percent(share)} (median of ${rounds} alternating runs).`;

export const insertBudget = ({ share }: Insertion): Budget => ({
  name: "inserts with the index of the words",
  measured: share * 100,
  limit: { atLeast: 90 },
  unit: "% of the rate without",
});

/** Measures inserts with and without the word index, alternately. */
export async function measureInserts(dataDir: string): Promise<Insertion> {
  await using direct = await openDirect(dataDir, 16);
  const rate = async (isKept: boolean) => {
    await direct.setWordIndex(isKept);
    return (await perSecond(16, () => direct.insert(newText()))).rate;
  };
  await rate(true);
  const shares: number[] = [];
  const rates: { kept: number[]; left: number[] } = { kept: [], left: [] };
  for (let round = 0; round < rounds; round += 1) {
    // The order alternates, so that a checkpoint or another process favours neither.
    const [first, second] = round % 2 === 0 ? [true, false] : [false, true];
    const found = new Map([[first, await rate(first)]]);
    found.set(second, await rate(second));
    const [kept, left] = [found.get(true) ?? 0, found.get(false) ?? 0];
    shares.push(kept / left);
    rates.kept.push(kept);
    rates.left.push(left);
  }
  await direct.setWordIndex(true);
  return { share: median(shares), kept: median(rates.kept), left: median(rates.left) };
}
