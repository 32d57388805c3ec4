/** The environment of a site in which waits of some lengths take another time, in milliseconds. */
export function shorterWaits(waits: Record<number, number>) {
  const script = `
    const waits = ${JSON.stringify(waits)};
    for (const name of ["setTimeout", "setInterval"]) {
      const set = globalThis[name];
      globalThis[name] = (work, ms, ...args) => set(work, waits[ms] ?? ms, ...args);
    }`;
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(script)}` };
}
