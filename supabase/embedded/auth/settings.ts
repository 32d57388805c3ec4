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
  user: RateLimit;
  userUpdate: RateLimit;
  logout: RateLimit;
  reauthenticate: RateLimit;
  factors: RateLimit;
  factorChallenge: RateLimit;
  factorVerify: RateLimit;
  wrongPassword: RateLimit;
  wrongPasswordFromAddress: RateLimit;
  wrongMailedCode: RateLimit;
  mail: RateLimit;
  mailAfterHour: RateLimit;
  mailOfDay: RateLimit;
  mailAfterDay: RateLimit;
  mailFromAddress: RateLimit;
  mailInterval: RateLimit;
  mailToStranger: RateLimit;
}

export interface AuthSettings {
  confirmEmail: boolean;
  jwtExpirySeconds: number;
  refreshReuseSeconds: number;
  otpExpirySeconds: number;
  passwordMinLength: number;
  /** In a session older than a day, a new password needs a mailed code. */
  requireReauthentication: boolean;
  /** Links in mails may lead to URLs below these, besides the site. */
  redirectAllowList: string[];
  /** Overrides of defaultRateLimits. */
  rateLimits: Partial<RateLimits>;
  totpEnrolEnabled: boolean;
  totpVerifyEnabled: boolean;
  maxFactors: number;
}

const perFiveMinutes = (points: number): RateLimit => ({ points, seconds: 300 });

/** GoTrue's defaults where it has one: CONTRACT.md, "Limits". */
export const defaultRateLimits: RateLimits = {
  signup: perFiveMinutes(30),
  token: perFiveMinutes(150),
  verify: perFiveMinutes(30),
  recover: perFiveMinutes(30),
  resend: perFiveMinutes(30),
  otp: perFiveMinutes(30),
  user: perFiveMinutes(3000),
  userUpdate: perFiveMinutes(30),
  logout: perFiveMinutes(150),
  reauthenticate: perFiveMinutes(30),
  factors: perFiveMinutes(30),
  factorChallenge: { points: 15, seconds: 60 },
  factorVerify: { points: 15, seconds: 60 },
  wrongPassword: perFiveMinutes(60),
  wrongPasswordFromAddress: { points: 20, seconds: 600 },
  wrongMailedCode: { points: 5, seconds: 600 },
  mail: { points: 6, seconds: 3600 },
  mailAfterHour: { points: 1, seconds: 900 },
  mailOfDay: { points: 20, seconds: 86_400 },
  mailAfterDay: { points: 1, seconds: 3600 },
  mailFromAddress: { points: 10, seconds: 3600 },
  mailInterval: { points: 1, seconds: 60 },
  mailToStranger: { points: 5, seconds: 3600 },
};
