import { encode } from "uqr";
import type { Contact } from "./contact.server.ts";

/** An address that is a link on the screen and text on paper. */
export function PrintedLink({ to }: { to: string }) {
  return (
    <span dir="ltr" className="hidden text-end text-sm font-normal print:block">
      {to.replace(/^(mailto|tel):/, "")}
    </span>
  );
}

export function PrintedAddress({ address }: Pick<Contact, "address">) {
  const { size, path } = qrCode(address);
  return (
    <div className="hidden items-center gap-4 print:flex">
      <svg
        role="img"
        aria-label={address}
        viewBox={`-4 -4.5 ${size + 8} ${size + 8}`}
        stroke="currentColor"
        shapeRendering="crispEdges"
        className="size-32"
      >
        <path d={path} />
      </svg>
      <p dir="ltr">{address}</p>
    </div>
  );
}

/** A QR code as SVG path data, in strokes as wide as a module that begin at half its height. */
function qrCode(text: string) {
  const { data, size } = encode(text, { ecc: "M", border: 0 });
  const rows = data.map((row) => row.map(Number).join(""));
  const strokes = rows.flatMap((row, y) =>
    Array.from(row.matchAll(/1+/g), ({ index, 0: run }) => `M${index} ${y}h${run.length}`),
  );
  return { size, path: strokes.join("") };
}
