import { randomInt } from "node:crypto";

/** Returns the address of another visitor, so that limits do not add up between tests. */
export const newAddress = () => [10, randomInt(256), randomInt(256), randomInt(1, 255)].join(".");
