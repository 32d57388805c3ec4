import { randomBytes } from "node:crypto";

/** Returns unused credentials. */
export const newCredentials = (prefix = "person") => ({
  email: `${prefix}-${randomBytes(6).toString("hex")}@example.com`,
  password: randomBytes(9).toString("base64url"),
});

/** The sentence for a wrong address or password. */
export const wrongCredentials = "البريد الإلكتروني أو كلمة المرور غير صحيحة.";
