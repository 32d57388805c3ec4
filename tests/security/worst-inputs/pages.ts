import { newAddress } from "#tests/support/address.ts";
import { raw, requestBytes } from "#tests/support/raw-request.ts";
import { actions } from "#tests/support/routes.ts";
import { ask } from "#tests/support/visitor.ts";
import { kilobyte, type Target, type WorstInput, worstTexts } from "./texts.ts";

/** Forms of the site, signed in. */
export function worstForms({ site, account }: Target): WorstInput[] {
  const cookies = account.sessionCookies().map((pair) => pair.join("="));
  const post = (path: string, body: string) => () =>
    ask(site, "POST", path, {
      headers: {
        Origin: site.url,
        "Content-Type": "application/x-www-form-urlencoded",
        "X-Forwarded-For": newAddress(),
        Cookie: cookies.join("; "),
      },
      body,
    });
  const messages = worstTexts(120 * kilobyte).flatMap(([what, text]) => [
    { name: `${what} as a message`, send: post("/?index", `name=a&email=a@b.co&message=${text}`) },
    { name: `${what} as a name`, send: post("/_.data?index", `email=a@b.co&name=${text}`) },
    { name: `${what} as a number`, send: post("/?index", `name=a&email=a@b.co&phone=${text}`) },
    { name: `${what} as an address`, send: post("/?index", `name=a&message=b&email=${text}`) },
  ]);
  const fields = actions.flatMap(({ path, form }) =>
    Object.keys(form).map((field) => ({ path, form, field })),
  );
  const texts = worstTexts(15 * kilobyte);
  // Each field gets two of the texts, and each text goes to many fields.
  const others = [0, 3].flatMap((step) =>
    fields.map(({ path, form, field }, index) => {
      const [what, text] = texts[(index + step) % texts.length] ?? [];
      return {
        name: `${what} as ${field} at ${path}`,
        // The first field of a name is read.
        send: post(path, `${field}=${text}&${new URLSearchParams(form)}`),
      };
    }),
  );
  // As many as are not yet too long to be cleaned (app/models/clean-text.ts).
  const marks = `a${"\u0301\u0316".repeat(9_999)}`;
  return [
    ...messages,
    { name: "marks in a message", send: post("/?index", `name=a&email=a@b.co&message=${marks}`) },
    ...others,
    { name: "many fields", send: post("/?index", "a&".repeat(60 * kilobyte)) },
    { name: "a long name", send: post("/?index", `${"%41".repeat(40 * kilobyte)}=x`) },
  ];
}

const long = 8000;
const targets = [
  `/?${"a&".repeat(long / 2)}`,
  `/auth?next=${"/".repeat(long)}`,
  `/auth?next=${"%2e%2e/".repeat(long / 7)}`,
  `/_.data?_routes=${"root,".repeat(long / 5)}`,
  `/__manifest?paths=${"/x,".repeat(long / 3)}`,
  "/".repeat(long),
  `/${"%CC%81".repeat(long / 6)}`,
  `/account/factors/${"x".repeat(long)}/remove`,
  `/assets/${"../".repeat(long / 3)}`,
];

const inCookie = (json: string) => `base64-${Buffer.from(json).toString("base64url")}`;
const hundred = (pair: (number: number) => string) =>
  Array.from({ length: 100 }, (_, number) => pair(number)).join("; ");
const headers: [string, string][] = [
  ["Accept-Encoding", "br;q=0,".repeat(2000)],
  ["Accept-Encoding", ", ".repeat(7000)],
  ["If-None-Match", 'W/"x",'.repeat(2300)],
  ["X-Forwarded-For", "127.0.0.1,".repeat(1400)],
  ["User-Agent", "Chrome/ Mac OS X".repeat(850)],
  ["Origin", `http://${"a.".repeat(7000)}`],
  ["Cookie", hundred((number) => `c${number}=${"x".repeat(130)}`)],
  ["Cookie", hundred((number) => `session.${number}=${"x".repeat(120)}`)],
  ["Cookie", `session=${"=".repeat(14_000)}`],
  ["Cookie", `session=${"%CC%81".repeat(2300)}`],
  ["Cookie", `session=${inCookie("[".repeat(10_000))}`],
  ["Cookie", `session=${inCookie(`{"user":{"factors":[${`{"id":"x"},`.repeat(900)}{}]}}`)}`],
  ["Cookie", `visit=${"eyJ.".repeat(3500)}`],
];

const upgrade: [string, string][] = [
  ["Origin", "http://localhost"],
  ["Connection", "Upgrade"],
  ["Upgrade", "websocket"],
  ["Sec-WebSocket-Version", "13"],
  ["Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="],
];

/** URLs, headers and cookies, on prerendered, rendered and guarded pages. */
export function worstHeads({ site }: Target): WorstInput[] {
  const get =
    (target: string, ...more: [string, string][]) =>
    () =>
      raw(site, requestBytes({ method: "GET", target, headers: more }));
  const places = ["/", "/?sent=x", "/admin"];
  return [
    ...targets.map((target) => ({ name: target.slice(0, 60), send: get(target) })),
    ...headers.flatMap(([name, value]) =>
      places.map((path) => ({
        name: `${name}: ${value.slice(0, 20)}… at ${path}`,
        send: get(path, [name, value]),
      })),
    ),
    ...headers.map(([name, value]) => ({
      name: `${name}: ${value.slice(0, 20)}… for a socket`,
      send: get("/admin/live", [name, value], ...upgrade),
    })),
    {
      name: "many headers",
      send: get("/?sent=x", ...Array.from({ length: 1900 }, (): [string, string] => ["X", "y"])),
    },
  ];
}
