import { randomBytes } from "node:crypto";

/** Returns unused credentials. */
export const newCredentials = (prefix = "person") => ({
  email: `${prefix}-${randomBytes(6).toString("hex")}@example.com`,
  password: randomBytes(9).toString("base64url"),
});
