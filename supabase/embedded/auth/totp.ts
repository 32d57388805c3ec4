import { Secret, TOTP } from "otpauth";
import { renderSVG } from "uqr";

// The variant of RFC 6238 that all authenticator apps have.
const periodSeconds = 30;
const parameters = { algorithm: "SHA1", digits: 6, period: periodSeconds };
const secretBytes = 20;

/** A new secret in base32, its otpauth:// URI and that as a QR code. */
export function newTotp(issuer: string, account: string) {
  const secret = new Secret({ size: secretBytes });
  const uri = new TOTP({ ...parameters, issuer, label: account, secret }).toString();
  // uqr names its colours. A # would end the data: URL that the client makes of the SVG.
  return { secret: secret.base32, uri, qr_code: renderSVG(uri, { ecc: "M" }) };
}

/** Returns the 30-second step of a code that is right at `now` or one step off. */
export function acceptedStep(secret: string, code: string, now: number): number | undefined {
  // The library throws for Arabic digits.
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
