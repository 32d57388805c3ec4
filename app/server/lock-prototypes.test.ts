import { expect, test } from "vitest";

// The module runs before every test (tests/vitest.config.ts).

/** What code does that merges names from outside into an object. */
function merge(target: unknown, path: string[], value: unknown): void {
  const [name = "", ...rest] = path;
  const owner = target as Record<string, unknown>;
  if (rest.length === 0) {
    owner[name] = value;
  } else {
    merge((owner[name] ??= {}), rest, value);
  }
}

test.each([
  [["constructor", "prototype", "polluted"]],
  [["constructor", "prototype", "toString"]],
  [["constructor", "prototype", "__proto__"]],
  [["constructor", "polluted"]],
  [["toString", "constructor", "prototype", "polluted"]],
])("a value at %j is refused", (path) => {
  expect(() => merge({}, path, "x")).toThrow(TypeError);
});

test("`__proto__` is a name like any other", () => {
  const target = {};
  merge(target, ["__proto__", "polluted"], "x");
  expect(Object.keys(target)).toEqual(["__proto__"]);
  expect(Object.getPrototypeOf(target)).toBe(Object.prototype);
  expect("polluted" in {}).toBe(false);
});

test.each(["toString", "constructor", "hasOwnProperty", "valueOf"])(
  "an object of its own can still have a %s",
  (name) => {
    const target: Record<string, unknown> = {};
    target[name] = "x";
    expect(Object.entries(target)).toEqual([[name, "x"]]);
    expect(({} as Record<string, unknown>)[name]).toBe(
      (Object.prototype as Record<string, unknown>)[name],
    );
  },
);

test.each([[], "", 1, true, 1n, Symbol("x"), () => 0, /x/, new Date(), new Map(), new Set()])(
  "nothing can be added to what %o inherits from",
  (value) => {
    expect(Object.isExtensible(Object.getPrototypeOf(value))).toBe(false);
  },
);
