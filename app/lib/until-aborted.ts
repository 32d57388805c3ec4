/** Settles like `work`, or rejects with the signal's reason when it aborts. */
export function untilAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  const onAbort = () => aborted.reject(signal.reason);
  signal.addEventListener("abort", onAbort);
  if (signal.aborted) {
    onAbort();
  }
  return Promise.race([work, aborted.promise]).finally(() =>
    signal.removeEventListener("abort", onAbort),
  );
}
