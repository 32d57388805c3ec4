import { hkdfSync, randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK } from "jose";
import { z } from "zod";
import { writeDurably } from "./engine/durable-file.ts";
import { reason, EngineError } from "./engine/engine-error.ts";

type Purpose =
  | "cookie"
  | "database-password"
  | "identity"
  | "mail-code"
  | "refresh-token"
  | "totp-secret";

export interface Keys {
  signing: { kid: string; privateKey: CryptoKey; publicKey: CryptoKey; publicJwk: JWK };
  /** Derives 32 bytes for one purpose from the master secret, by HKDF (RFC 5869). */
  derive(purpose: Purpose): Buffer;
}

const keyFileSchema = z.strictObject({
  signing: z.strictObject({
    kty: z.literal("EC"),
    crv: z.literal("P-256"),
    x: z.string(),
    y: z.string(),
    d: z.string(),
    kid: z.string(),
  }),
  masterSecret: z.string().min(32),
});
type KeyFile = z.infer<typeof keyFileSchema>;

/**
 * Reads `keys.json`, or creates it at the first start. Throws EngineError if it is missing later, is
 * damaged or belongs to another database: second factors work with one master secret only.
 */
export async function loadKeys(dataDir: string): Promise<Keys> {
  const path = join(dataDir, "keys.json");
  const identityPath = join(dataDir, "database/keys-identity");
  const refuse = (fault: string) => new EngineError("keys", `The key file ${path} ${fault}.`);
  const known = await readIfExists(identityPath);
  let text = await readIfExists(path);
  if (text === undefined) {
    if (known !== undefined) {
      throw refuse("is missing");
    }
    text = JSON.stringify(await createKeyFile(), undefined, 2);
    await writeDurably(path, text);
  }
  const file = parseKeyFile(text);
  if (file === undefined) {
    throw refuse("is damaged");
  }
  const keys = await importKeys(file);
  const identity = keys.derive("identity").toString("hex");
  if (known === undefined) {
    await writeDurably(identityPath, identity);
  } else if (known !== identity) {
    throw refuse("does not belong to the database beside it");
  }
  return keys;
}

async function readIfExists(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") {
      return undefined;
    }
    throw new EngineError("unusable", `The file ${path} cannot be read: ${reason(error)}`);
  }
}

async function createKeyFile(): Promise<KeyFile> {
  const { privateKey } = await generateKeyPair("ES256", { extractable: true });
  const jwk = await exportJWK(privateKey);
  return keyFileSchema.parse({
    signing: { ...jwk, kid: await calculateJwkThumbprint(jwk) },
    masterSecret: randomBytes(32).toString("base64url"),
  });
}

function parseKeyFile(text: string): KeyFile | undefined {
  try {
    return keyFileSchema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

async function importKeys({ signing, masterSecret }: KeyFile): Promise<Keys> {
  const { d: _secret, kid, ...point } = signing;
  const publicJwk: JWK = { ...point, kid, alg: "ES256", use: "sig", key_ops: ["verify"] };
  const derive = (purpose: Purpose) =>
    Buffer.from(hkdfSync("sha256", masterSecret, "", `embedded ${purpose}`, 32));
  return {
    signing: {
      kid,
      privateKey: (await importJWK(signing, "ES256")) as CryptoKey,
      publicKey: (await importJWK({ ...point }, "ES256")) as CryptoKey,
      publicJwk,
    },
    derive,
  };
}
