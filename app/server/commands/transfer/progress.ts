const terminalMs = 200;
const logMs = 60_000;

export interface Progress extends Disposable {
  add(rows: number): void;
}

/**
 * Shows how far long work is until it is disposed: on a terminal a line that is drawn anew, elsewhere, as
 * in a log, a line a minute. The library for it, cli-progress, is six packages.
 * @param what what is counted, such as "rows copied"
 */
export function showProgress(what: string, total: number): Progress {
  const { stderr } = process;
  const begun = performance.now();
  let done = 0;
  const show = () => {
    if (done === 0) {
      return;
    }
    const share = Math.min(1, done / total);
    const left = ((performance.now() - begun) / 1000) * (1 / share - 1);
    const line = `${done} of ${total} ${what}, ${Math.floor(share * 100)} %, ${duration(left)} left`;
    if (stderr.isTTY) {
      stderr.write(`${clearLine}${line}`);
    } else {
      console.log(line);
    }
  };
  const timer = setInterval(show, stderr.isTTY ? terminalMs : logMs).unref();
  return {
    add(rows) {
      done += rows;
    },
    [Symbol.dispose]() {
      clearInterval(timer);
      if (stderr.isTTY) {
        stderr.write(clearLine);
      }
    },
  };
}

/** To the left, then "erase in line" (ECMA-48). */
const clearLine = "\r\u001B[K";

function duration(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  return minutes > 0 ? `${minutes} min` : `${Math.ceil(seconds)} s`;
}
