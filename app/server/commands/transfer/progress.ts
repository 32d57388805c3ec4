import { clearLine, cursorTo } from "node:readline";

const terminalMs = 200;
const logMs = 60_000;

/** Shows how far long work is. */
export interface Progress {
  /** @param what what is counted, such as "rows copied" */
  begin(what: string, total: number): void;
  add(count: number): void;
  end(): void;
}

/**
 * Draws one line on a terminal, by Node's own readline: the libraries for it draw bars that nobody
 * needs. Elsewhere, as in a log, it prints one line a minute.
 */
export function showProgress(): Progress {
  const { stderr } = process;
  let [what, total, done, begun, shown] = ["", 0, 0, 0, 0];
  const show = () => {
    shown = performance.now();
    const share = total === 0 ? 1 : Math.min(1, done / total);
    const left = share === 0 ? Infinity : ((shown - begun) / 1000) * (1 / share - 1);
    const line = `${done} of ${total} ${what}, ${Math.floor(share * 100)} %, ${duration(left)} left`;
    if (!stderr.isTTY) {
      console.log(line);
      return;
    }
    cursorTo(stderr, 0);
    stderr.write(line);
    clearLine(stderr, 1);
  };
  return {
    begin(counted, rows) {
      [what, total, done] = [counted, rows, 0];
      begun = shown = performance.now();
    },
    add(count) {
      done += count;
      if (performance.now() - shown >= (stderr.isTTY ? terminalMs : logMs)) {
        show();
      }
    },
    end() {
      if (stderr.isTTY) {
        cursorTo(stderr, 0);
        clearLine(stderr, 0);
      }
    },
  };
}

function duration(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  return minutes > 0 ? `${minutes} min` : `${Math.ceil(seconds)} s`;
}
