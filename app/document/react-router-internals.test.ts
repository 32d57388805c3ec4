import { data, UNSAFE_ErrorResponseImpl as ErrorResponse } from "react-router";
import { expect, test } from "vitest";
import { actionFailure } from "./react-router-internals.ts";

const error = new Error("any");
const refused = new ErrorResponse(403, "", null);

test.each([
  ["the site failed", data(error, 500), { error, status: 500 }],
  ["the site refused", refused, { error: refused, status: 403 }],
  ["a refusal with a status around it", data(refused, 202), { error: refused, status: 403 }],
  ["no answer", data(error), { error, status: 0 }],
  ["no answer in time", error, { error, status: 0 }],
])("%s", (_name, result, failure) => {
  expect(actionFailure(result)).toEqual(failure);
});
