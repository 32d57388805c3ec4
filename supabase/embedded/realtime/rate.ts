/** Gives a function that counts one event and says whether it is within `most` per second. */
export function createRate(most: number): () => boolean {
  let second = 0;
  let count = 0;
  return () => {
    const current = Math.floor(performance.now() / 1000);
    if (current !== second) {
      count = 0;
    }
    second = current;
    count += 1;
    return count <= most;
  };
}
