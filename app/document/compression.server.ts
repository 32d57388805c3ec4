import { promisify } from "node:util";
import { brotliCompress, constants, gzip, gzipSync } from "node:zlib";

type Bytes = Buffer<ArrayBuffer>;
export type Coding = "br" | "gzip" | "identity";

/** One thing for each coding. */
export function byCoding<T>(make: (coding: Coding) => T): Record<Coding, T> {
  return { br: make("br"), gzip: make("gzip"), identity: make("identity") };
}

// Listed, and not with q=0.
const accepted = {
  br: /(?:^|,)\s*br\s*(?:$|,|;\s*q=(?!0(?:\.0*)?\s*(?:$|,)))/i,
  gzip: /(?:^|,)\s*gzip\s*(?:$|,|;\s*q=(?!0(?:\.0*)?\s*(?:$|,)))/i,
};

/** The best coding that an Accept-Encoding header allows (RFC 9110, 12.5.3). */
export function preferredCoding(header = ""): Coding {
  if (accepted.br.test(header)) {
    return "br";
  }
  return accepted.gzip.test(header) ? "gzip" : "identity";
}

/** Bytes that are kept, as small as a coding can make them. */
export async function encode(bytes: Buffer, coding: Coding): Promise<Buffer> {
  if (coding === "identity") {
    return bytes;
  }
  if (coding === "gzip") {
    return promisify(gzip)(bytes, { level: 9 });
  }
  return promisify(brotliCompress)(bytes, {
    params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
  });
}

// Below this an answer fits into one packet anyway.
const worthIt = 1000;

/** A body that is sent once, and the headers that say how it is coded. */
export function encodeOnce(body: Bytes, acceptEncoding: string | null, headers: Headers): Bytes {
  if (body.length < worthIt || !prefersGzip(acceptEncoding, headers)) {
    return body;
  }
  return gzipSync(body, { level: constants.Z_BEST_SPEED });
}

/**
 * Whether to compress an answer that is sent once; notes it in its headers. Gzip at its lowest
 * effort makes a page of 32 kB 9.5 kB in 0.1 ms; brotli at 4 takes 0.3 ms to save 0.9 kB more.
 */
export function prefersGzip(acceptEncoding: string | null, headers: Headers): boolean {
  headers.append("Vary", "Accept-Encoding");
  if (!accepted.gzip.test(acceptEncoding ?? "")) {
    return false;
  }
  headers.set("Content-Encoding", "gzip");
  return true;
}
