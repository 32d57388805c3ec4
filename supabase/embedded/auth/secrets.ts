import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from "node:crypto";
import type { Keys } from "#embedded/keys.ts";

/** Protects secrets from readers of the database. */
export interface Secrets {
  /** HMAC-SHA-256 of the texts, 43 characters of base64url. */
  mac(purpose: "refresh-token" | "mail-code", ...texts: string[]): string;
  /** AES-256-GCM bound to `owner`, as base64url of nonce, tag and ciphertext. */
  encrypt(text: string, owner: string): string;
  /** Throws if the ciphertext was changed or belongs to another owner. */
  decrypt(encrypted: string, owner: string): string;
}

export function createSecrets({ derive }: Keys): Secrets {
  const macKeys = { "refresh-token": derive("refresh-token"), "mail-code": derive("mail-code") };
  const cipherKey = derive("totp-secret");

  return {
    mac(purpose, ...texts) {
      return createHmac("sha256", macKeys[purpose])
        .update(JSON.stringify(texts))
        .digest("base64url");
    },
    encrypt(text, owner) {
      const nonce = randomBytes(12);
      const cipher = createCipheriv("aes-256-gcm", cipherKey, nonce).setAAD(Buffer.from(owner));
      const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString("base64url");
    },
    decrypt(encrypted, owner) {
      const bytes = Buffer.from(encrypted, "base64url");
      const decipher = createDecipheriv("aes-256-gcm", cipherKey, bytes.subarray(0, 12))
        .setAAD(Buffer.from(owner))
        .setAuthTag(bytes.subarray(12, 28));
      return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString(
        "utf8",
      );
    },
  };
}

/** SHA-256 in hex. It is for long random secrets only, because others could be guessed from it. */
export function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
