/**
 * The script, for `node --import`, of a site whose clock goes from the first instant on, and is set to
 * the next one at each SIGUSR2. What is done each minute is done ten times a second.
 */
export const clockScript = (...instants: number[]) =>
  `data:text/javascript,${encodeURIComponent(`
    const { setInterval } = globalThis;
    globalThis.setInterval = (work, ms, ...args) => setInterval(work, ms === 60_000 ? 100 : ms, ...args);
    const instants = ${JSON.stringify(instants)};
    let ahead = 0;
    globalThis.Date = class extends Date {
      static now() { return super.now() + ahead; }
      constructor(...args) { super(...(args.length > 0 ? args : [Date.now()])); }
    };
    const setNext = () => (ahead += instants.shift() - Date.now());
    setNext();
    process.on("SIGUSR2", setNext);`)}`;
