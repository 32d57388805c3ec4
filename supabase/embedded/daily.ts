const firstAfter = 10_000;
const interval = 24 * 60 * 60 * 1000;

/** Runs `work` soon and then daily. Returns what stops it after the step that is running. */
export function runDaily(
  work: (isStopped: () => boolean) => Promise<void>,
  onError: (error: unknown) => void,
): () => Promise<void> {
  let isStopped = false;
  let running = Promise.resolve();
  let timer = setTimeout(run, firstAfter).unref();

  function run() {
    timer = setTimeout(run, interval).unref();
    running = work(() => isStopped).catch(onError);
  }

  return () => {
    isStopped = true;
    clearTimeout(timer);
    return running;
  };
}
