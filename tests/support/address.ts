import { randomInt } from "node:crypto";

/** Returns a random client address, so that tests do not share rate limits. */
export const newAddress = () => [10, randomInt(256), randomInt(256), randomInt(1, 255)].join(".");
