const quote = 34;
const backslash = 92;
const openers = new Set([91, 123]);
const closers = new Set([93, 125]);

/** Whether JSON text nests deeper than `levels`. Recursion would overflow the stack. */
export function isDeeperThan(json: string, levels: number): boolean {
  let depth = 0;
  let isInString = false;
  for (let at = 0; at < json.length; at += 1) {
    const code = json.charCodeAt(at);
    if (isInString && code === backslash) {
      at += 1;
    } else if (code === quote) {
      isInString = !isInString;
    } else if (!isInString && openers.has(code)) {
      depth += 1;
      if (depth > levels) {
        return true;
      }
    } else if (!isInString && closers.has(code)) {
      depth -= 1;
    }
  }
  return false;
}
