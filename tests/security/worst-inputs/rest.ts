import { jsonSender } from "./auth.ts";
import { deepJson, kilobyte, type Target, wideJson, type WorstInput, worstTexts } from "./texts.ts";

const long = 8000;
const restQueries = [
  `or=(${"or(".repeat(long / 4)}`,
  `or=(${"and(".repeat(1200)}id.is.null${")".repeat(1200)})`,
  `and=(${"id.is.null,".repeat(long / 11)}id.is.null)`,
  "id=is.null&".repeat(long / 11),
  `select=${"id,".repeat(long / 3)}id`,
  `select=${"id::text,".repeat(long / 9)}id`,
  `select=${"a:id(".repeat(long / 5)}`,
  `order=${"id.asc,".repeat(long / 7)}id`,
  `name=in.(${'"a",'.repeat(long / 4)}"a")`,
  `name=in.("${"\\\\".repeat(long / 2)}")`,
  `name=like.${"*a".repeat(long / 2)}`,
  `name=match.${"(a*)*".repeat(20)}b`,
  `name=eq.${"%CC%81".repeat(long / 6)}`,
  `columns=${"name,".repeat(long / 5)}name`,
  `on_conflict=${"id,".repeat(long / 3)}id`,
  `name=${"not.".repeat(long / 4)}is.null`,
  "(".repeat(long),
  `${"a->>b".repeat(long / 5)}=eq.1`,
];

/** /rest/v1, with the secret key, which is refused least. */
export function worstRest(target: Target): WorstInput[] {
  const send = jsonSender(target, "/rest/v1/", { apikey: target.api.keys.secretKey });
  const table = "contact_messages";
  const size = 1000 * kilobyte;
  const row = { name: "ن", email: "a@example.com", message: "م" };
  const rows = Array.from({ length: 1000 }, (_, number) => ({ ...row, message: `${number}` }));
  const bodies: [string, string][] = [
    ["deep JSON", deepJson(size)],
    ["a deep value", `{"name":${deepJson(size)}}`],
    ["wide JSON", wideJson(size)],
    ["empty rows", `[${"{},".repeat(size / 3)}{}]`],
    ["rows of other columns", JSON.stringify(rows.map((_, number) => ({ [`c${number}`]: 1 })))],
    ["a thousand rows", JSON.stringify(rows)],
    ["no JSON", "{".repeat(size)],
    ...worstTexts(size / 2).map(([what, text]): [string, string] => [
      what,
      JSON.stringify({ ...row, message: text }),
    ]),
  ];
  const csv = `name,email,message\n${'"a""b",a@b.co,"c"\n'.repeat(55_000)}`;
  return [
    ...restQueries.flatMap((query) => [
      { name: `GET ${query.slice(0, 40)}…`, send: send("GET", `${table}?${query}`) },
      { name: `PATCH ${query.slice(0, 40)}…`, send: send("PATCH", `${table}?${query}`, "{}") },
      { name: `rpc ${query.slice(0, 40)}…`, send: send("GET", `rpc/read_inbox?${query}`) },
    ]),
    ...bodies.flatMap(([what, body]) => [
      { name: `${what} inserted`, send: send("POST", table, body) },
      { name: `${what} to a function`, send: send("POST", "rpc/read_inbox", body) },
    ]),
    { name: "CSV", send: send("POST", table, csv, { "Content-Type": "text/csv" }) },
    { name: "Prefer", send: send("GET", table, undefined, { Prefer: "count=,".repeat(1900) }) },
    { name: "Accept", send: send("GET", table, undefined, { Accept: "a/b;q=0,".repeat(1700) }) },
    { name: "Range", send: send("GET", table, undefined, { Range: "0-".repeat(6000) }) },
  ];
}
