import { expect } from "vitest";
import { Authenticator } from "./authenticator.ts";
import { hidden, type Visitor } from "./visitor.ts";

/** Sets up a second factor on the account page, confirmed by the password. */
export async function setUpFactor(visitor: Visitor, current: string) {
  const scan = await visitor.post("/account/factors/new", { name: "هاتفي", current });
  const [factor, uri] = [hidden(scan.text, "factor"), hidden(scan.text, "uri")];
  const app = new Authenticator(new URL(uri).searchParams.get("secret") ?? "");
  const code = app.code();
  const added = await visitor.post("/account/factors/new", { factor, uri, code });
  expect(added.headers.location).toBe("/account");
  return { app, factor };
}
