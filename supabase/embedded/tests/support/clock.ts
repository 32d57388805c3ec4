/** A clock that tests move forward, for a site and its codes. */
export function movableClock() {
  let ahead = 0;
  return {
    now: () => Date.now() + ahead,
    /** Moves it by so many seconds. */
    pass: (seconds: number) => void (ahead += seconds * 1000),
  };
}
