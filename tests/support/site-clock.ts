/**
 * The script, for `node --import`, of a site whose clock goes from the first instant on, and leaps to the next
 * one at each SIGUSR2. What is done again and again is due then.
 */
export const clockScript = (...instants: number[]) =>
  `data:text/javascript,${encodeURIComponent(`
    const { setInterval } = globalThis;
    const repeated = [];
    globalThis.setInterval = (work, ms, ...args) => {
      repeated.push(() => work(...args));
      return setInterval(work, ms, ...args);
    };
    const instants = ${JSON.stringify(instants)};
    let ahead = 0;
    globalThis.Date = class extends Date {
      static now() { return super.now() + ahead; }
      constructor(...args) { super(...(args.length > 0 ? args : [Date.now()])); }
    };
    const leap = () => {
      ahead += instants.shift() - Date.now();
      for (const work of repeated) work();
    };
    leap();
    process.on("SIGUSR2", leap);`)}`;
