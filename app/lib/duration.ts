/** A time to wait for an Arabic sentence, in whole minutes. */
export function waitText(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  if (minutes <= 1) {
    return "دقيقة";
  }
  if (minutes === 2) {
    return "دقيقتين";
  }
  return minutes <= 10 ? `${minutes} دقائق` : `${minutes} دقيقة`;
}
