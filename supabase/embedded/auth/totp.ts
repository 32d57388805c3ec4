import { Secret, TOTP } from "otpauth";
import { renderSVG } from "uqr";

// RFC 6238 as every authenticator app has it (contract section 5).
const periodSeconds = 30;
const parameters = { algorithm: "SHA1", digits: 6, period: periodSeconds };
const secretBytes = 20;

/** A new secret (32 characters of base32) with its otpauth:// URI and the URI's QR code. */
export function newTotp(issuer: string, account: string) {
  const secret = new Secret({ size: secretBytes });
  const uri = new TOTP({ ...parameters, issuer, label: account, secret }).toString();
  // uqr names its colours: a # would end the data: URL that the client makes of the SVG.
  return { secret: secret.base32, uri, qr_code: renderSVG(uri, { ecc: "M" }) };
}

/**
 * The 30-second step since 1970 in which the code is the right one, if that is the one of `now`
 * (milliseconds) or a neighbour; else undefined.
 */
export function acceptedStep(secret: string, code: string, now: number): number | undefined {
  // The library throws for as many characters with more bytes, such as Arabic digits.
  if (!/^[0-9]{6}$/.test(code)) {
    return undefined;
  }
  const delta = TOTP.validate({
    ...parameters,
    token: code,
    secret: Secret.fromBase32(secret),
    timestamp: now,
    window: 1,
  });
  return delta === null
    ? undefined
    : TOTP.counter({ period: periodSeconds, timestamp: now }) + delta;
}
