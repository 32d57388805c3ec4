import { createECDH, randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { pushKeys } from "./push-keys.ts";

test("one secret makes one pair, another one another", () => {
  const keys = pushKeys("a secret that the site has");
  expect(keys).toEqual(pushKeys("a secret that the site has"));
  expect(keys.privateKey).not.toBe(pushKeys("another secret").privateKey);
  // Devices that subscribed with it must go on.
  expect(keys.publicKey).toBe(
    "BEp0pP2uHHDqaUMuCEWIzJUWwahMcOJxtQRleOr-gf09bmECrxVswT847ogWpsGYechDxM8gTzYw15FRJQLKbjo",
  );
});

test("every pair is one of P-256, in the lengths that browsers and services take", () => {
  for (let count = 0; count < 500; count += 1) {
    const { publicKey, privateKey } = pushKeys(randomBytes(24).toString("base64url"));
    const pair = createECDH("prime256v1");
    pair.setPrivateKey(privateKey, "base64url");
    expect([pair.getPublicKey("base64url"), privateKey.length, publicKey.length]).toEqual([
      publicKey,
      43,
      87,
    ]);
  }
});
