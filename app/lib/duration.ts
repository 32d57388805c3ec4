interface Forms {
  one: string;
  two: string;
  few: string;
  many: string;
}

const minutes: Forms = { one: "دقيقة", two: "دقيقتين", few: "دقائق", many: "دقيقة" };
const hours: Forms = { one: "ساعة", two: "ساعتين", few: "ساعات", many: "ساعة" };

/** A time to wait for an Arabic sentence: in whole minutes, above two hours in whole hours. */
export function waitText(seconds: number): string {
  return seconds > 2 * 60 * 60
    ? counted(Math.ceil(seconds / 3600), hours)
    : counted(Math.ceil(seconds / 60), minutes);
}

function counted(count: number, { one, two, few, many }: Forms): string {
  if (count <= 1) {
    return one;
  }
  if (count === 2) {
    return two;
  }
  return `${count} ${count <= 10 ? few : many}`;
}
