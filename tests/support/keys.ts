const base64 = (part: object) => Buffer.from(JSON.stringify(part)).toString("base64url");

/** The secret key of the Supabase that stands for a hosted one. */
export const secretKey = "sb_secret_of_the_tests";

/** The kind of secret key that self-hosters have: a JWT of service_role. */
export const legacyKey = `${base64({ alg: "HS256", typ: "JWT" })}.${base64({ role: "service_role" })}.signature`;

/** Both count as the bearer of service_role. */
export const secretKeys: readonly string[] = [secretKey, legacyKey];
