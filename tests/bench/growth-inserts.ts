import { loadKeys } from "#embedded/keys.ts";
import { openDirect } from "./direct.ts";
import { type Budget, median, percent } from "./measure.ts";
import { post } from "./rest.ts";
import type { Running } from "./servers.ts";

const rounds = 7;

/** About two hundred letters, as people write them. */
const message = {
  name: "نورة القحطاني",
  email: "noura@example.com",
  message:
    "السلام عليكم، عندي متجر عبايات في الرياض وأحتاج صفحة هبوط للموسم القادم. كم تستغرق، وكم تكلف؟ أرسل لي نماذج من أعمالك السابقة رقم [<id>]، وموعدًا مناسبًا للاتصال هذا الأسبوع لو سمحت. شكرًا لك مقدمًا.",
};

export interface Insertion {
  share: number;
  /** Per second. */
  kept: number;
  left: number;
}

export const insertNote = ({ share, kept, left }: Insertion) =>
  `Messages of two hundred letters are inserted over REST into the million at ${kept.toFixed(0)} a second, without the index of the words at ${left.toFixed(0)}, so ${percent(share)}: the median of ${rounds} runs in turns.`;

export const insertBudget = ({ share }: Insertion): Budget => ({
  name: "inserts with the index of the words",
  measured: share * 100,
  limit: { atLeast: 90 },
  unit: "% of the rate without",
});

/** Inserts over REST with the index of the words and without, in turns: the share of the rate. */
export async function measureInserts({ url }: Running, dataDir: string): Promise<Insertion> {
  await using direct = await openDirect(dataDir, 1);
  const { secretKey } = await loadKeys(dataDir);
  const rate = async (isKept: boolean) => {
    await direct.keepWords(isKept);
    return (await post(`${url}/rest/v1/contact_messages`, secretKey, message, 16)).rate;
  };
  await rate(true);
  const shares: number[] = [];
  const rates: { kept: number[]; left: number[] } = { kept: [], left: [] };
  for (let round = 0; round < rounds; round += 1) {
    // Each first in turn: a checkpoint or another process would favour one of them.
    const [first, second] = round % 2 === 0 ? [true, false] : [false, true];
    const found = new Map([[first, await rate(first)]]);
    found.set(second, await rate(second));
    const [kept, left] = [found.get(true) ?? 0, found.get(false) ?? 0];
    shares.push(kept / left);
    rates.kept.push(kept);
    rates.left.push(left);
  }
  await direct.keepWords(true);
  return { share: median(shares), kept: median(rates.kept), left: median(rates.left) };
}
