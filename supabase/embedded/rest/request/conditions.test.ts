import { describe, expect, test } from "vitest";
import { any, equal, operators, states } from "#embedded/rest/statement/operators.ts";
import { refusal } from "#tests/support/rest/refusal.ts";
import { readComparison, readGroup } from "./conditions.ts";

const is = (operator: string, value: string, more = {}) => ({
  column: "c",
  isNegated: false,
  operator: operators.get(operator),
  value,
  ...more,
});

const eq = (column: string, value: string, isNegated = false) => ({
  column,
  isNegated,
  operator: equal,
  value,
});

describe("filters", () => {
  test.each([
    ["eq.1", is("eq", "1")],
    ["eq.", is("eq", "")],
    ['eq."a"', is("eq", '"a"')],
    ["eq.a.b.c", is("eq", "a.b.c")],
    ["not.eq.null", is("eq", "null", { isNegated: true })],
    ["like.*a*", is("like", "%a%")],
    ["match.^a*$", is("match", "^a*$")],
    ["eq(any).{1,2}", is("eq", "{1,2}", { quantifier: any })],
    ["isdistinct.null", is("isdistinct", "null")],
    [
      "in.(1,2)",
      { column: "c", isNegated: false, operator: equal, quantifier: any, value: '{"1","2"}' },
    ],
    ["is.null", { column: "c", isNegated: false, state: states.get("null") }],
    ["not.is.NOT_null", { column: "c", isNegated: true, state: states.get("not_null") }],
  ])("%j", (text, expected) => {
    expect(readComparison("c", text)).toEqual(expected);
  });

  test.each([
    ["()", "{}"],
    ['("")', "{}"],
    ["(,)", '{"",""}'],
    ["( a,b )", '{"a","b "}'],
    ['("a,b","c)d")', '{"a,b","c)d"}'],
    ['(Double"Quote)', '{"Double\\"Quote"}'],
    ['(a, "b")', '{"a"," \\"b\\""}'],
    [String.raw`("a\"b","c\\d",e\f)`, String.raw`{"a\"b","c\\d","e\\f"}`],
    ['("open)', '{"\\"open"}'],
    ['("a"b,c)', '{"\\"a\\"b","c"}'],
    ["(null,NULL)", '{"null","NULL"}'],
  ])("in.%s is the list %s", (list, value) => {
    expect(readComparison("c", `in.${list}`)).toMatchObject({ value });
  });

  test.each([
    "0",
    "",
    "eq",
    "EQ.1",
    "not",
    "not.1",
    "not.not.eq.1",
    "eqq.1",
    "neq(any).1",
    "eq(some).1",
    "is.nul",
    "is.null ",
    "is",
    "in",
    "in.1",
    "in.(1",
    "in.(1)x",
    "toString.1",
    "constructor.1",
    "__proto__.1",
    "eq(any)",
    " eq.1",
    "or.(a.eq.1)",
  ])("%j is no filter", (text) => {
    expect(refusal(() => readComparison("c", text))).toMatchObject({
      status: 400,
      code: "PGRST100",
    });
  });

  test("are refused in PostgREST's words", () => {
    expect(refusal(() => readComparison("id", "0"))).toEqual({
      status: 400,
      code: "PGRST100",
      message: '"failed to parse filter (0)" (line 1, column 1)',
      details: `unexpected '0' expecting "not" or operator (eq, gt, ...)`,
    });
    for (const word of ["fts", "plfts", "phfts(english)", "not.wfts"]) {
      expect(refusal(() => readComparison("c", `${word}.x`))).toMatchObject({ code: "PGRST127" });
    }
  });
});

describe("groups", () => {
  test.each([
    ["(a.eq.1)", [eq("a", "1")]],
    [" ( a.eq.1 , b.not.eq.2)", [eq("a", "1 "), eq("b", "2", true)]],
    ['(a.eq."x,y)","b.c".eq.2)', [eq("a", "x,y)"), eq("b.c", "2")]],
    ["(a.eq.{1,2},b.eq.{x)", [eq("a", "{1,2}"), eq("b", "{x")]],
    ["(and.eq.1,or.eq.2)", [eq("and", "1"), eq("or", "2")]],
    [
      "(a.is.null,b.in.(1,2))",
      [
        { column: "a", isNegated: false, state: states.get("null") },
        { ...eq("b", '{"1","2"}'), quantifier: any },
      ],
    ],
    [
      "(and(a.eq.1,b.eq.2),not.or(c.eq.3))",
      [
        { joiner: "and", isNegated: false, members: [eq("a", "1"), eq("b", "2")] },
        { joiner: "or", isNegated: true, members: [eq("c", "3")] },
      ],
    ],
    ["(not.and ( a.eq.1 ))", [{ joiner: "and", isNegated: true, members: [eq("a", "1 ")] }]],
  ])("%s", (text, members) => {
    expect(readGroup("or", false, text)).toEqual({ joiner: "or", isNegated: false, members });
  });

  test.each([
    "",
    "()",
    "(a.eq.1",
    "(a.eq.1))",
    "(a.eq.1)x",
    "a.eq.1",
    "(a)",
    "(a.eq.1,)",
    "(,a.eq.1)",
    "(not.a.eq.1)",
    "(a->b.eq.1)",
    "(rel.a.eq.1)",
    "(a.fts.x)",
  ])("%j is refused", (text) => {
    expect(refusal(() => readGroup("and", false, text))).toMatchObject({ status: 400 });
  });
});
