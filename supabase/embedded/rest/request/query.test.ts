import { describe, expect, test } from "vitest";
import { refusal } from "#tests/support/rest/refusal.ts";
import { bounds } from "./bounds.ts";
import { readComparison, readGroup } from "./conditions.ts";
import { readAccept } from "./media.ts";
import { readOrder } from "./order.ts";
import { readPairs } from "./pairs.ts";
import { readPreferences } from "./preferences.ts";
import { readQuery } from "./query.ts";
import { readSelect } from "./select.ts";

const read = (search: string, hasArgs = false) => readQuery(readPairs(search), hasArgs);

describe("pairs", () => {
  test("are split and decoded as PostgREST does", () => {
    expect(readPairs("?a=1&b=x=y&c&d=&=e;f=g+h%2Bi&j=%zz%4&%C3%A9=%D9%85")).toEqual([
      ["a", "1"],
      ["b", "x=y"],
      ["d", ""],
      ["", "e"],
      ["f", "g h+i"],
      ["j", "%zz%4"],
      ["é", "م"],
    ]);
    expect(readPairs("")).toEqual([]);
    for (const search of ["a=%ff", "a=%ED%A0%80", "%80=a", "a=%00"]) {
      expect(refusal(() => readPairs(search))).toMatchObject({ status: 400 });
    }
    expect(refusal(() => readPairs("a".repeat(bounds.queryBytes + 1)))).toMatchObject({
      status: 414,
    });
  });
});

describe("a query", () => {
  test("takes the first of some keys and the last of others", () => {
    const query = read(
      "select=a&select=b&order=a&order=b&limit=1&limit=2&offset=3&offset=4&columns=a&columns=b&on_conflict=c&on_conflict=d",
    );
    expect(query).toMatchObject({
      select: [{ column: "a" }],
      order: [{ column: "a" }],
      limit: 2,
      offset: 4,
      columns: ["a"],
      onConflict: ["c"],
    });
  });

  test("joins every filter, quoted reserved names too", () => {
    const { conditions } = read('a=eq.1&a=eq.2&"order"=eq.3&not.or=(b.eq.4)&"select"=eq.5');
    expect(conditions).toMatchObject([
      { column: "a", value: "1" },
      { column: "a", value: "2" },
      { column: "order", value: "3" },
      { joiner: "or", isNegated: true, members: [{ column: "b" }] },
      { column: "select", value: "5" },
    ]);
  });

  test("distinguishes arguments of a function from filters by their values", () => {
    const { args, conditions } = read(
      "id=5&id=gt.2&q=in.stock&__proto__=x&p=is.gd/x&p=2&select=a",
      true,
    );
    expect(Array.from(args)).toEqual([
      ["id", "5"],
      ["q", "in.stock"],
      ["__proto__", "x"],
      ["p", "2"],
    ]);
    expect(conditions).toMatchObject([{ column: "id", value: "2" }]);
  });

  test.each([
    ["rel.a=eq.1", "PGRST108"],
    ["rel.order=a", "PGRST108"],
    ["rel.limit=1", "PGRST108"],
    ["rel.or=(a.eq.1)", "PGRST108"],
    ["not.not.or=(a.eq.1)", "PGRST108"],
    ["a->b=eq.1", "PGRST127"],
    ["page->x=imatch.z", "PGRST127"],
    ["rel(a)=eq.1", "PGRST127"],
    ["=eq.1", "PGRST100"],
    ["a;b=eq.1", undefined],
    ["a)=eq.1", "PGRST100"],
    ['"a=eq.1', "PGRST100"],
    ["columns=", "PGRST100"],
    ["columns=a,,b", "PGRST100"],
    ["on_conflict=a)", "PGRST100"],
    ["limit=", "PGRST100"],
  ])("%s is refused with %s", (search, code) => {
    const refused = refusal(() => read(search));
    expect(code ? refused : { code: undefined }).toMatchObject({ code });
  });
});

test("preferences and media types read nothing from the prototype", () => {
  for (const name of ["constructor", "toString", "__proto__", "hasOwnProperty"]) {
    expect(readPreferences(`${name}=1, return=${name}, ${name}`).return).toBeUndefined();
    expect(refusal(() => readAccept(name))).toMatchObject({ status: 406 });
    expect(refusal(() => readAccept(`text/${name}`))).toMatchObject({ status: 406 });
  }
});

const long = (unit: string) => unit.repeat(bounds.queryBytes / unit.length);
const worst = [
  '"',
  "\\",
  '"\\',
  ",",
  '",',
  '"\\,"',
  "(",
  "and(",
  "not.and",
  "a.",
  "a-",
  "->",
  " ",
  "{",
  "{}",
  "a.eq.{",
  "::",
  ":",
  "م",
  '"a",',
  '"a',
  "a.eq.1,",
  'a.eq."x',
  "eq.",
  "not.",
  "in.(",
  "x.eq.(",
  "or(or(",
  "not.or(",
];

test("the worst text of the allowed length is read at once", () => {
  for (const unit of worst) {
    const text = long(unit);
    const readers = [
      () => readSelect(text),
      () => readOrder(text),
      () => readComparison("c", text),
      () => readComparison("c", `in.(${text}`),
      () => readComparison("c", `in.(${text})`),
      () => readGroup("and", false, text),
      () => readGroup("and", false, `(${text})`),
      () => readGroup("and", false, `(a.eq.${text})`),
      () => readGroup("and", false, `(a.in.(${text}))`),
      () => readQuery([["columns", text]], false),
      () => readQuery([[text, "eq.1"]], false),
      () => readPairs(text),
      () => readPreferences(text),
    ];
    for (const reader of readers) {
      const before = process.cpuUsage();
      refusal(reader);
      const { user } = process.cpuUsage(before);
      expect([unit, user / 1000]).toEqual([unit, expect.toSatisfy((ms) => ms < 100)]);
    }
  }
});
