/** Prints a line each minute until it is disposed. */
export function eachMinute(line: () => string): Disposable {
  const timer = setInterval(() => console.log(line()), 60_000).unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}
