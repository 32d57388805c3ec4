import { encode } from "uqr";

/** A QR code as SVG path data, in strokes as wide as a module that begin at half its height. */
export function qrCode(text: string): { size: number; path: string } {
  const { data, size } = encode(text, { ecc: "M", border: 0 });
  return { size, path: data.map(strokesOf).join("") };
}

/** The strokes of a row: the first from where it is, the others from the end of the one before. */
function strokesOf(row: boolean[], y: number): string {
  let end: number | undefined;
  const strokes = Array.from(row.map(Number).join("").matchAll(/1+/g), ({ index, 0: run }) => {
    const move = end === undefined ? `M${index} ${y}` : `m${index - end} 0`;
    end = index + run.length;
    return `${move}h${run.length}`;
  });
  return strokes.join("");
}
