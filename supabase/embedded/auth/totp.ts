import { domainToUnicode } from "node:url";
import { Secret, TOTP } from "otpauth";
import { renderSVG } from "uqr";

// The parameters of RFC 6238 that all authenticator apps support.
const periodSeconds = 30;
const parameters = { algorithm: "SHA1", digits: 6, period: periodSeconds };
const secretBytes = 20;

/**
 * Returns a new secret in base32, its otpauth:// URI, and the URI as a QR code (SVG). An app shows the domain
 * of the site in the letters of its language.
 */
export function newTotp(siteUrl: string, account: string) {
  const issuer = domainToUnicode(new URL(siteUrl).hostname);
  const secret = new Secret({ size: secretBytes });
  const uri = new TOTP({ ...parameters, issuer, label: account, secret }).toString();
  // auth-js makes a data: URL of the SVG, and a # would end it. uqr writes colours as names.
  return { secret: secret.base32, uri, qr_code: renderSVG(uri, { ecc: "M" }) };
}

/** Returns the time step of a code that is valid at `now`, one step earlier or one later. */
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
