import {
  createDecipheriv,
  createECDH,
  type ECDH,
  hkdfSync,
  randomBytes,
  randomUUID,
} from "node:crypto";

/** The browser side of Web Push. */
export type PushDevice = ReturnType<typeof newPushDevice>;

/** Creates a device at a service that the certificate of `startPushService` covers. */
export function newPushDevice(service = "fcm") {
  const pair = createECDH("prime256v1");
  pair.generateKeys();
  const auth = randomBytes(16);
  return {
    /** The subscription that the site stores. */
    subscription: {
      endpoint: `https://${service}.push.example/send/${randomUUID()}`,
      p256dh: pair.getPublicKey("base64url"),
      auth: auth.toString("base64url"),
    },
    /** Decrypts a body. Throws if it was encrypted for another device. */
    open: (body: Buffer) => decrypt(body, pair, auth),
  };
}

/** Returns the subscription of a new device. */
export const newSubscription = () => newPushDevice().subscription;

const derive = (from: Buffer, salt: Buffer, info: (string | Buffer)[], length: number) =>
  Buffer.from(
    hkdfSync("sha256", from, salt, Buffer.concat(info.map((part) => Buffer.from(part))), length),
  );

/** Decrypts a body of one record (RFC 8188, 2.1) by RFC 8291, 3.4. */
function decrypt(body: Buffer, pair: ECDH, auth: Buffer): string {
  const salt = body.subarray(0, 16);
  const keyEnd = 21 + body.readUInt8(20);
  const key = body.subarray(21, keyEnd);
  const info = ["WebPush: info\0", pair.getPublicKey(), key];
  const secret = derive(pair.computeSecret(key), auth, info, 32);
  const contentKey = derive(secret, salt, ["Content-Encoding: aes128gcm\0"], 16);
  const nonce = derive(secret, salt, ["Content-Encoding: nonce\0"], 12);
  const decipher = createDecipheriv("aes-128-gcm", contentKey, nonce);
  decipher.setAuthTag(body.subarray(-16));
  const padded = Buffer.concat([decipher.update(body.subarray(keyEnd, -16)), decipher.final()]);
  return padded.subarray(0, padded.lastIndexOf(2)).toString();
}
