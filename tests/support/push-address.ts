import { createECDH, randomBytes, randomUUID } from "node:crypto";

/** Creates a push subscription: an endpoint, and the keys to encrypt for it. */
export function newPushAddress() {
  return {
    endpoint: `https://push.example.com/${randomUUID()}`,
    p256dh: createECDH("prime256v1").generateKeys("base64url"),
    auth: randomBytes(16).toString("base64url"),
  };
}
