const firstDelayMs = 10_000;
const intervalMs = 23 * 60 * 60 * 1000; // Addresses are kept for a day: counts last an hour.

/** Runs `work` soon and then every 23 hours. Returns a function that stops it after the current step. */
export function runDaily(
  work: (isStopped: () => boolean) => Promise<void>,
  onError: (error: unknown) => void,
): () => Promise<void> {
  let isStopped = false;
  let running = Promise.resolve();
  let timer = setTimeout(run, firstDelayMs).unref();

  function run() {
    timer = setTimeout(run, intervalMs).unref();
    running = work(() => isStopped).catch(onError);
  }

  return () => {
    isStopped = true;
    clearTimeout(timer);
    return running;
  };
}
