import { z } from "zod";
import type { Backend } from "#app/site-contract.server.ts";
import { dataOfCall } from "./data-of.server.ts";

const termsSchema = z.object({
  months: z.int(),
  discarded_days: z.int(),
  is_counting: z.boolean(),
});

/** How long messages are kept, and whether visits are counted. @throws {Response} */
export async function readPrivacyTerms(site: Pick<Backend, "callAsSite">) {
  const asked = site.callAsSite("privacy_terms", {});
  return termsSchema.parse(await dataOfCall(asked, "The terms of privacy were not read"));
}
