import type { Contact } from "./contact.server.ts";

/** An address that is a link on the screen and text on paper. */
export function PrintedLink({ to }: { to: string }) {
  return (
    <span dir="ltr" className="hidden text-end text-sm font-normal print:block">
      {to.replace(/^(mailto|tel):/, "")}
    </span>
  );
}

export function PrintedAddress({ address, code }: Pick<Contact, "address" | "code">) {
  return (
    <div className="hidden items-center gap-4 print:flex">
      <svg
        role="img"
        aria-label={address}
        viewBox={`-4 -4.5 ${code.size + 8} ${code.size + 8}`}
        stroke="currentColor"
        shapeRendering="crispEdges"
        className="size-32"
      >
        <path d={code.path} />
      </svg>
      <p dir="ltr">{address}</p>
    </div>
  );
}
