import * as fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { RestError } from "#embedded/rest/errors.ts";
import { operators, quantifiers } from "#embedded/rest/statement/operators.ts";
import { encode, hostileText, quoted } from "#tests/support/rest/hostile.ts";
import { type Asked, outcome, textOf } from "#tests/support/rest/statements.ts";

const numRuns = 10_000;

/** Requests with a value in each place that takes one. With `x` they give the expected text. */
const valued: ((x: string) => Asked)[] = [
  (x) => ({ search: `title=eq.${encode(x)}` }),
  (x) => ({ search: `title=not.like.${encode(x)}` }),
  (x) => ({ search: `tags=eq(any).${encode(x)}` }),
  (x) => ({ search: `title=in.(${encode(quoted(x))},b)` }),
  (x) => ({
    search: `or=(title.eq.${encode(quoted(x))},and(id.gt.1,tags.cs.${encode(quoted(x))}))`,
  }),
  (x) => ({ search: `select=${encode(quoted(x))}:title,id` }),
  (x) => ({ path: "/rpc/find", search: `q=x${encode(x)}&title=isdistinct.${encode(x)}` }),
  (x) => ({ method: "PATCH", search: `title=eq.${encode(x)}`, body: JSON.stringify({ title: x }) }),
  (x) => ({ method: "DELETE", search: `title=neq.${encode(x)}`, prefer: "return=representation" }),
  (x) => ({
    method: "POST",
    body: JSON.stringify([{ title: x, id: x }]),
    prefer: "resolution=merge-duplicates",
  }),
  (x) => ({
    method: "POST",
    search: "columns=title,id",
    body: JSON.stringify([{ title: x }]),
    prefer: "missing=default, return=headers-only",
  }),
  (x) => ({ method: "POST", path: "/rpc/find", body: JSON.stringify({ q: { [x]: x } }) }),
];

/** Requests with a name in each place that takes one. */
const named: ((name: string) => Asked)[] = [
  (x) => ({ search: `${encode(x)}=eq.1` }),
  (x) => ({ search: `${encode(quoted(x))}=eq.1` }),
  (x) => ({ search: `select=${encode(x)}` }),
  (x) => ({ search: `select=id,${encode(quoted(x))}::text` }),
  (x) => ({ search: `select=id::${encode(x)}` }),
  (x) => ({ search: `order=${encode(x)}` }),
  (x) => ({ search: `order=${encode(quoted(x))}.desc.nullslast` }),
  (x) => ({ search: `or=(${encode(x)}.eq.1,${encode(quoted(x))}.is.null)` }),
  (x) => ({ path: `/${encode(x)}` }),
  (x) => ({ path: `/rpc/${encode(x)}` }),
  (x) => ({ path: "/rpc/find", search: `q=1&${encode(x)}=1` }),
  (x) => ({ path: "/rpc/find", method: "POST", body: JSON.stringify({ q: 1, [x]: 1 }) }),
  (x) => ({ method: "POST", body: JSON.stringify({ title: "a", [x]: "b" }) }),
  (x) => ({ method: "POST", search: `columns=${encode(quoted(x))}`, body: "[{}]" }),
  (x) => ({
    method: "POST",
    search: `on_conflict=${encode(quoted(x))}`,
    body: '{"title":"a"}',
    prefer: "resolution=merge-duplicates",
  }),
  (x) => ({ method: "PATCH", search: "id=eq.1", body: JSON.stringify({ [x]: 1 }) }),
];

/** Names of the catalog, and names with a meaning in a query. */
const allowed = ["id", "title", "tags", "q", "page", "books", "find", "*", "", "select", "order"];

/** Requests with an operator, direction or keyword in each place that takes one. */
const operated: ((word: string) => Asked)[] = [
  (x) => ({ search: `title=${encode(x)}.1` }),
  (x) => ({ search: `title=eq(${encode(x)}).1` }),
  (x) => ({ search: `title=is.${encode(x)}` }),
  (x) => ({ search: `and=(title.${encode(x)}.1)` }),
  (x) => ({ search: `${encode(x)}=(title.eq.1)` }),
  (x) => ({ search: `order=id.${encode(x)}` }),
  (x) => ({ search: `order=id.desc.${encode(x)}` }),
  (x) => ({ search: `limit=${encode(x)}&offset=${encode(x)}` }),
];

const shared = [Object.prototype, Array.prototype, Function.prototype];
const sharedNames = () => shared.map((one) => Reflect.ownKeys(one).length);
let before: number[];
beforeAll(() => {
  before = sharedNames();
});

test("the text of a statement is the same for every value, which is a parameter", async () => {
  const shapes = await Promise.all(valued.map((ask) => textOf(ask("x"))));
  const indexes = fc.integer({ min: 0, max: valued.length - 1 });
  await fc.assert(
    fc.asyncProperty(indexes, hostileText, async (index, value) => {
      const made = await outcome(valued[index]?.(value) ?? {});
      // Invalid text, and text that the grammar excludes, is refused.
      const found = made instanceof RestError ? made.message : made.text;
      const refusals = /UTF-8|zero byte|failed to parse|All object keys/;
      expect(found).toSatisfy((text) => text === shapes[index] || refusals.test(text));
    }),
    { numRuns },
  );
  expect(sharedNames()).toEqual(before);
});

test("most hostile values do become a statement", async () => {
  const values = fc.sample(hostileText, { numRuns: 500, seed: 1 });
  const all = await Promise.all(
    values.flatMap((value) => valued.map((ask) => outcome(ask(value)))),
  );
  expect(all.filter((made) => !(made instanceof RestError)).length).toBeGreaterThan(all.length / 2);
});

test("only names of the catalog reach a statement", async () => {
  const known = new Set<string>();
  for (const ask of named) {
    for (const name of allowed) {
      const made = await outcome(ask(name));
      if (!(made instanceof RestError)) {
        known.add(made.text);
      }
    }
  }
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...named), hostileText, async (ask, name) => {
      const made = await outcome(ask(name));
      if (made instanceof RestError) {
        return;
      }
      expect(known).toContain(made.text);
      expect(allowed).toContain(name.trim().replaceAll('"', ""));
    }),
    { numRuns },
  );
  expect(sharedNames()).toEqual(before);
});

test("only operators of the closed lists reach a statement", async () => {
  const known = new Set<string>();
  const words = [
    ...operators.keys(),
    ...quantifiers.keys(),
    "in",
    "null",
    "not_null",
    "true",
    "false",
    "unknown",
    "asc",
    "desc",
    "nullsfirst",
    "nullslast",
    "and",
    "or",
    "not.and",
    "not.or",
    "1",
  ];
  for (const ask of operated) {
    for (const word of words.flatMap((one) => [
      one,
      `not.${one}`,
      `${one}(any)`,
      `${one}(all)`,
      `not.${one}(any)`,
      `not.${one}(all)`,
    ])) {
      const made = await outcome(ask(word));
      if (!(made instanceof RestError)) {
        known.add(made.text);
      }
    }
  }
  expect(known.size).toBeGreaterThan(100);
  const word = fc.oneof(
    hostileText,
    fc.tuple(fc.constantFrom(...words), hostileText).map((both) => both.join("")),
    fc.tuple(fc.constantFrom(...words), hostileText).map((both) => both.join(".")),
  );
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...operated), word, async (ask, operator) => {
      const made = await outcome(ask(operator));
      expect(made).toSatisfy((one) => one instanceof RestError || known.has(one.text));
    }),
    { numRuns },
  );
  expect(sharedNames()).toEqual(before);
});
