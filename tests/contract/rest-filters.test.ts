import { expect } from "vitest";
import { type BooksQuery, testWithFourBooks as test } from "#tests/support/rest/test.ts";

/** Each filter of the builder, and the ids that it must find. */
const filters: Record<string, [by: (q: BooksQuery) => BooksQuery, ids: number[]][]> = {
  eq: [
    [(q) => q.eq("title", "Alpha"), [1]],
    [(q) => q.eq("author", "A, B"), [1]],
    [(q) => q.eq("author", "null"), [4]],
    [(q) => q.eq("author", 'say "hi"'), [3]],
    [(q) => q.eq("pages", 100).eq("title", "beta"), []],
    [(q) => q.eq("is_out", true), [1, 4]],
    [(q) => q.eq('"odd,name"', "x"), []],
  ],
  neq: [[(q) => q.neq("pages", 100), [2, 4]]],
  gt: [[(q) => q.gt("pages", 200), [4]]],
  gte: [[(q) => q.gte("pages", 200), [2, 4]]],
  lt: [[(q) => q.lt("price", 1), [4]]],
  lte: [[(q) => q.lte("price", 1.5), [1, 4]]],
  like: [
    [(q) => q.like("title", "%a"), [1, 2, 3]],
    [(q) => q.like("title", "50\\%\\_%"), [4]],
  ],
  likeAllOf: [[(q) => q.likeAllOf("title", ["%m%", "G%"]), [3]]],
  likeAnyOf: [[(q) => q.likeAnyOf("title", ["b%", "G%"]), [2, 3]]],
  ilike: [[(q) => q.ilike("title", "B*"), [2]]],
  ilikeAllOf: [[(q) => q.ilikeAllOf("title", ["a%", "%A"]), [1]]],
  ilikeAnyOf: [[(q) => q.ilikeAnyOf("title", ["ALPHA", "BETA"]), [1, 2]]],
  regexMatch: [[(q) => q.regexMatch("title", "^[A-G]"), [1, 3]]],
  regexIMatch: [[(q) => q.regexIMatch("title", "^(alpha|BETA)$"), [1, 2]]],
  is: [
    [(q) => q.is("author", null), [2]],
    [(q) => q.is("is_out", false), [2]],
    [(q) => q.is("is_out", true), [1, 4]],
  ],
  isDistinct: [[(q) => q.isDistinct("author", "null"), [1, 2, 3]]],
  in: [
    [(q) => q.in("id", [1, 3, 9]), [1, 3]],
    [(q) => q.in("author", ["A, B", "null"]), [1, 4]],
    [(q) => q.in("id", []), []],
  ],
  notIn: [[(q) => q.notIn("id", [1, 3]), [2, 4]]],
  contains: [
    [(q) => q.contains("tags", ["x"]), [1, 2]],
    [(q) => q.contains("details", { b: { c: [2] } }), [1]],
    [(q) => q.contains("lent", "[2026-01-06,2026-01-07)"), [1, 4]],
  ],
  containedBy: [
    [(q) => q.containedBy("tags", ["x", "z"]), [1, 3, 4]],
    [(q) => q.containedBy("details", { a: 2, z: 1 }), [2]],
  ],
  rangeGt: [[(q) => q.rangeGt("lent", "[2026-01-01,2026-01-02)"), [2, 4]]],
  rangeGte: [[(q) => q.rangeGte("lent", "[2026-01-02,2026-01-03)"), [2, 4]]],
  rangeLt: [[(q) => q.rangeLt("lent", "[2026-02-01,2026-02-02)"), [1]]],
  rangeLte: [[(q) => q.rangeLte("lent", "[2026-02-01,2026-02-10)"), [1, 2]]],
  rangeAdjacent: [[(q) => q.rangeAdjacent("lent", "[2026-02-10,2026-02-12)"), [2]]],
  overlaps: [
    [(q) => q.overlaps("tags", ["y", "z"]), [2, 4]],
    [(q) => q.overlaps("lent", "[2026-02-05,2026-02-06)"), [2, 4]],
  ],
  match: [[(q) => q.match({ pages: 200, title: "beta" }), [2]]],
  not: [
    [(q) => q.not("author", "is", null), [1, 3, 4]],
    [(q) => q.not("id", "in", "(1,2)"), [3, 4]],
    [(q) => q.not("tags", "cs", "{x}"), [3, 4]],
  ],
  or: [
    [(q) => q.or("pages.eq.100,title.eq.beta"), [1, 2]],
    [(q) => q.or('author.eq."A, B",and(pages.gt.100,not.or(id.eq.2,id.eq.3))'), [1, 4]],
    [(q) => q.or("id.in.(1,2),tags.cs.{z}").neq("id", 2), [1, 4]],
    [(q) => q.or("author.is.null,pages.not.is.null"), [1, 2, 4]],
  ],
  filter: [
    [(q) => q.filter("title", "eq", "beta"), [2]],
    [(q) => q.filter("id", "eq(any)", "{1,2}"), [1, 2]],
  ],
  textSearch: [],
};

test.for(
  Object.entries(filters).flatMap(([name, cases]) =>
    cases.map(([by, ids], index) => ({ name, index, by, ids })),
  ),
)("the filter $name finds its rows ($index)", async ({ by, ids }, { books }) => {
  const { data, error } = await by(books().select("id")).order("id");
  expect(error).toBeNull();
  expect(data).toEqual(ids.map((id) => ({ id })));
});

test("every method of the builder is tested", ({ books }) => {
  const query = books().select();
  const names = new Set<string>();
  for (
    let proto: object = query;
    proto !== Object.prototype;
    proto = Object.getPrototypeOf(proto)
  ) {
    for (const name of Object.getOwnPropertyNames(proto)) {
      if (typeof Reflect.get(query, name) === "function") {
        names.add(name);
      }
    }
  }
  const elsewhere = [
    "constructor",
    "fetch",
    "then",
    "processResponse",
    "select",
    "order",
    "limit",
    "range",
    "single",
    "maybeSingle",
    "csv",
    "stripNulls",
    "throwOnError",
    "returns",
    "overrideTypes",
    "setHeader",
    "retry",
    "abortSignal",
    "geojson",
    "explain",
    "rollback",
    "maxAffected",
  ];
  expect(Array.from(names).toSorted()).toEqual([...Object.keys(filters), ...elsewhere].toSorted());
});
