/** A function that keeps its last result, for as long as it is given the same object. */
export function latest<Key extends object, Value>(make: (key: Key) => Value): (key: Key) => Value {
  let kept: { key: Key; value: Value } | undefined;
  return (key) => {
    if (kept?.key !== key) {
      kept = { key, value: make(key) };
    }
    return kept.value;
  };
}
