import { encode } from "uqr";

/** A QR code as SVG path data, in strokes as wide as a module that begin at half its height. */
export function qrCode(text: string): { size: number; path: string } {
  const { data, size } = encode(text, { ecc: "M", border: 0 });
  const rows = data.map((row) => row.map(Number).join(""));
  const strokes = rows.flatMap((row, y) =>
    Array.from(row.matchAll(/1+/g), ({ index, 0: run }) => `M${index} ${y}h${run.length}`),
  );
  return { size, path: strokes.join("") };
}
