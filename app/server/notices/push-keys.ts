import { createECDH, hkdfSync } from "node:crypto";

export interface PushKeys {
  publicKey: string;
  privateKey: string;
}

// SEC 2, 2.4.2
const orderOfP256 = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

/** The keys by which push services know the site (RFC 8292), base64url: a pair for each secret. */
export function pushKeys(secret: string): PushKeys {
  // With 64 bits more than a key has, all keys are as likely (FIPS 186-5, A.2.1).
  const bytes = Buffer.from(hkdfSync("sha256", secret, "", "tawasul vapid", 48));
  const key = (BigInt(`0x${bytes.toString("hex")}`) % (orderOfP256 - 1n)) + 1n;
  const privateKey = Buffer.from(key.toString(16).padStart(64, "0"), "hex");
  const pair = createECDH("prime256v1");
  pair.setPrivateKey(privateKey);
  return {
    publicKey: pair.getPublicKey("base64url"),
    privateKey: privateKey.toString("base64url"),
  };
}
