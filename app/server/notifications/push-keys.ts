import { createECDH, hkdfSync } from "node:crypto";

export interface PushKeys {
  publicKey: string;
  privateKey: string;
}

// SEC 2, 2.4.2
const orderOfP256 = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

/** The site's VAPID key pair (RFC 8292), derived from its secret; base64url. */
export function pushKeys(secret: string): PushKeys {
  // 64 bits more than a key: the bias of the modulo is negligible (FIPS 186-5, A.2.1).
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
