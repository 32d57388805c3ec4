import { data, type RouterContextProvider } from "react-router";
import { renderSVG } from "uqr";
import { z } from "zod";
import { fieldErrors, textFields } from "#app/lib/form-errors.ts";
import { getAccount } from "#app/session/guards.server.ts";
import { getAttempts, getSupabase } from "#app/session/supabase.server.ts";
import { codeSchema } from "#app/models/account.ts";
import { takeAttempt } from "#app/models/attempts.server.ts";
import { type FormResult, refusalInit, refusalOf } from "#app/models/refusal.ts";
import { refusalText } from "#app/routes/auth/auth-errors.ts";

type Context = Readonly<RouterContextProvider>;
type Result = FormResult<"name" | "code" | "current">;

/** What an app needs to know of a new factor; the form carries it until a code confirms it. */
export interface Scan {
  factor: string;
  uri: string;
  /** The uri as a QR code, as an address of an image. */
  qrCode: string;
  secret: string;
}

/** Makes a factor that a code has yet to confirm; earlier ones that none did make room. */
export async function enrolFactor(context: Context, name: string) {
  const { mfa } = getSupabase(context).auth;
  const { data: known } = await mfa.listFactors();
  for (const { id, status } of known?.all ?? []) {
    if (status === "unverified") {
      await mfa.unenroll({ factorId: id });
    }
  }
  const { data: made, error } = await mfa.enroll({ factorType: "totp", friendlyName: name });
  if (error) {
    const refusal = refusalOf(error);
    const errors = { name: refusalText(refusal) };
    return data<Result>({ values: { name }, errors }, refusalInit(refusal));
  }
  return { scan: scanOf(made.id, made.totp.uri), error: undefined };
}

const scanSchema = z.object({
  factor: z.uuid(),
  uri: z.url({ protocol: /^otpauth$/ }).max(1000),
});

/** @returns the answer that asks again, or undefined once the factor is confirmed */
export async function confirmFactor(context: Context, form: FormData) {
  const shown = scanSchema.safeParse(textFields(form, ["factor", "uri"]));
  if (!shown.success) {
    const failure = refusalText({ status: 400, code: "mfa_factor_not_found" });
    return data<Result>({ errors: {}, failure }, { status: 400 });
  }
  const { factor, uri } = shown.data;
  const askAgain = (error: string | undefined, init: ResponseInit) =>
    data({ scan: scanOf(factor, uri), error }, init);

  const result = codeSchema.safeParse(textFields(form, ["code"]));
  if (!result.success) {
    return askAgain(fieldErrors(result.error).code, { status: 400 });
  }
  const refusal =
    (await takeAttempt(getAttempts(context), "code", getAccount(context).id)) ??
    (await verify(context, factor, result.data.code));
  return refusal && askAgain(refusalText(refusal), refusalInit(refusal));
}

async function verify(context: Context, factorId: string, code: string) {
  const { mfa } = getSupabase(context).auth;
  const { error } = await mfa.challengeAndVerify({ factorId, code });
  return error ? refusalOf(error) : undefined;
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
