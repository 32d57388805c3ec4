const terminalMs = 200;
const logMs = 60_000;
/** To the left, then "erase in line" (ECMA-48). */
const clearLine = "\r\u001B[K";

export interface Progress extends Disposable {
  total: number;
  done: number;
}

/**
 * Shows how far long work is until it is disposed. On a terminal this is one line that is drawn again, and
 * elsewhere, as in a log, one line a minute (decision 021).
 * @param what what is counted, such as "rows copied"
 */
export function showProgress(what: string, total = 0): Progress {
  const { stderr } = process;
  const begun = performance.now();
  const show = () => {
    if (progress.done === 0) {
      return;
    }
    const share = Math.min(1, progress.done / progress.total);
    const seconds = Math.ceil(((performance.now() - begun) / 1000) * (1 / share - 1));
    const left = seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min`;
    const line = `${progress.done} of ${progress.total} ${what}, ${Math.floor(share * 100)} %, ${left} left`;
    if (stderr.isTTY) {
      stderr.write(`${clearLine}${line}`);
    } else {
      console.log(line);
    }
  };
  const timer = setInterval(show, stderr.isTTY ? terminalMs : logMs).unref();
  const progress = {
    total,
    done: 0,
    [Symbol.dispose]() {
      clearInterval(timer);
      if (stderr.isTTY) {
        stderr.write(clearLine);
      }
    },
  };
  return progress;
}
