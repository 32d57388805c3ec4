import { createECDH, randomBytes, randomUUID } from "node:crypto";

/** What a browser gets from its push service: an address, and keys to encrypt for it. */
export function newPushAddress() {
  return {
    endpoint: `https://push.example.com/${randomUUID()}`,
    p256dh: createECDH("prime256v1").generateKeys("base64url"),
    auth: randomBytes(16).toString("base64url"),
  };
}
