/** At most `points` requests in `seconds`. */
export interface RateLimit {
  points: number;
  seconds: number;
}

export interface RateLimits {
  signup: RateLimit;
  token: RateLimit;
  verify: RateLimit;
  recover: RateLimit;
  resend: RateLimit;
  otp: RateLimit;
  userUpdate: RateLimit;
  factorChallenge: RateLimit;
  factorVerify: RateLimit;
  /** Wrong passwords for one account, from all addresses together. */
  wrongPassword: RateLimit;
  /** The same, from one address. */
  wrongPasswordFromAddress: RateLimit;
  /** Mails to one account. */
  mail: RateLimit;
  /** Mails to one account that one address asks for. */
  mailFromAddress: RateLimit;
  /** Mails of one kind to one account. */
  mailInterval: RateLimit;
}

export interface AuthSettings {
  /** New accounts and changed addresses must be confirmed by mail first. */
  confirmEmail: boolean;
  jwtExpirySeconds: number;
  refreshReuseSeconds: number;
  /** How long a code or link from a mail is good. */
  otpExpirySeconds: number;
  /** Wrong codes after which the code of a mail no longer works (its link still does). */
  maxWrongCodes: number;
  passwordMinLength: number;
  /** A new password needs the code from `reauthenticate` when the session is older than a day. */
  requireReauthentication: boolean;
  /** A new password needs the old one, except in a session that began with a mail. */
  requireCurrentPassword: boolean;
  /** Origins, or URLs up to a path, to which mails may lead besides the site itself. */
  redirectAllowList: string[];
  /** Only what differs from `defaultRateLimits`; false switches all limits off. */
  rateLimits: Partial<RateLimits> | false;
  totpEnrolEnabled: boolean;
  totpVerifyEnabled: boolean;
  maxFactors: number;
  challengeSeconds: number;
}

const perFiveMinutes = (points: number): RateLimit => ({ points, seconds: 300 });

/**
 * GoTrue's figures (contract section 6), and its one mail a minute. Ours are what counts for one
 * account, and that the codes of its factors can be tried in ten minutes as often as with
 * GoTrue in one: three of a million are good at any time.
 */
export const defaultRateLimits: RateLimits = {
  signup: perFiveMinutes(30),
  token: perFiveMinutes(150),
  verify: perFiveMinutes(30),
  recover: perFiveMinutes(30),
  resend: perFiveMinutes(30),
  otp: perFiveMinutes(30),
  userUpdate: perFiveMinutes(30),
  factorChallenge: { points: 15, seconds: 60 },
  factorVerify: { points: 15, seconds: 600 },
  wrongPassword: perFiveMinutes(60),
  wrongPasswordFromAddress: { points: 20, seconds: 600 },
  mail: { points: 30, seconds: 3600 },
  mailFromAddress: { points: 10, seconds: 3600 },
  mailInterval: { points: 1, seconds: 60 },
};

/** As the Supabase CLI sets up a project. */
export const defaultAuthSettings: AuthSettings = {
  confirmEmail: false,
  jwtExpirySeconds: 3600,
  refreshReuseSeconds: 10,
  otpExpirySeconds: 3600,
  maxWrongCodes: 5,
  passwordMinLength: 6,
  requireReauthentication: false,
  requireCurrentPassword: false,
  redirectAllowList: [],
  rateLimits: {},
  totpEnrolEnabled: true,
  totpVerifyEnabled: true,
  maxFactors: 10,
  challengeSeconds: 300,
};
