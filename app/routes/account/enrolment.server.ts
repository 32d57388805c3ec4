import { data } from "react-router";
import { renderSVG } from "uqr";
import { z } from "zod";
import { type AuthRefusal, refusalOf } from "#app/models/account/refusal.ts";
import { codeSchema } from "#app/models/account/schemas.ts";
import { verifyCode } from "#app/models/account/second-factor.server.ts";
import { type Problem, problemOf, readForm, showAgain } from "#app/routes/form.server.ts";
import { getAttempts, getSupabase } from "#app/session/clients.server.ts";
import { getAccount } from "#app/session/guards.server.ts";
import type { RouterContext } from "#app/session/site-context.server.ts";

/** A new factor for an authenticator app. The form carries it until a code confirms it. */
export interface Scan {
  factor: string;
  uri: string;
  qrCode: string;
  secret: string;
}

/** Creates an unconfirmed factor and removes earlier unconfirmed ones. */
export async function enrolFactor(
  context: RouterContext,
  name: string,
): Promise<Scan | AuthRefusal> {
  const { mfa } = getSupabase(context).auth;
  const { data: known } = await mfa.listFactors();
  for (const { id, status } of known?.all ?? []) {
    if (status === "unverified") {
      await mfa.unenroll({ factorId: id });
    }
  }
  const { data: made, error } = await mfa.enroll({ factorType: "totp", friendlyName: name });
  return error ? refusalOf(error) : scanOf(made.id, made.totp.uri);
}

const scanSchema = z.object({
  factor: z.uuid(),
  uri: z.url({ protocol: /^otpauth$/ }).max(1000),
});

/** @returns the response that shows the form again, or undefined if the factor is confirmed */
export async function confirmFactor(context: RouterContext, form: FormData) {
  const shown = readForm(form, scanSchema);
  if (!shown.ok) {
    return showAgain(problemOf({ status: 400, code: "mfa_factor_not_found" }));
  }
  const { factor, uri } = shown.data;
  const askAgain = ({ errors, ...init }: Problem<"code">) =>
    data({ scan: scanOf(factor, uri), error: errors?.code }, init);

  const typed = readForm(form, codeSchema);
  if (!typed.ok) {
    return askAgain({ status: 400, ...typed.refused.data });
  }
  const { id } = await getAccount(context);
  const refusal = await verifyCode(
    getSupabase(context),
    getAttempts(context),
    { id, factors: [{ id: factor }] },
    typed.data.code,
  );
  if (refusal?.code === "mfa_factor_not_found") {
    // Another page has begun a new enrolment since.
    return showAgain(problemOf(refusal));
  }
  return refusal && askAgain(problemOf(refusal, "code"));
}

function scanOf(factor: string, uri: string): Scan {
  const svg = renderSVG(uri, { ecc: "M", border: 3 });
  return {
    factor,
    uri,
    qrCode: `data:image/svg+xml;base64,${Buffer.from(svg).toString("base64")}`,
    secret: new URL(uri).searchParams.get("secret") ?? "",
  };
}
