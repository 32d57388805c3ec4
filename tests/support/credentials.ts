import { randomBytes } from "node:crypto";

/** Credentials that nobody used before. */
export const newCredentials = (prefix = "person") => ({
  email: `${prefix}-${randomBytes(6).toString("hex")}@example.com`,
  password: randomBytes(9).toString("base64url"),
});
