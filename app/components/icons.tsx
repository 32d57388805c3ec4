const paths = {
  whatsapp:
    "M4 20l1.3-4.2A8 8 0 1 1 8.4 19zM9 8.5c0 4 2.5 6.500 6.500 6.500v-2l-2-1-1 1c-1-.5-1.500-1-2-2l1-1-1-2z",
  instagram:
    "M8 4h8a4 4 0 0 1 4 4v8a4 4 0 0 1-4 4H8a4 4 0 0 1-4-4V8a4 4 0 0 1 4-4zM12 8.500a3.500 3.500 0 1 0 0 7 3.500 3.500 0 0 0 0-7zM16.800 7.200h.01",
  facebook:
    "M13 21v-8h3l.5-3.500H13V7.500c0-1 .5-1.500 1.500-1.500H17V3h-3c-2.500 0-4 1.500-4 4v2.500H7V13h3v8",
  email: "M4 6h16v12H4zM4 7l8 6 8-6",
  person: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.500 20.500c.8-4 3.800-6 7.500-6s6.700 2 7.500 6",
  external: "M7 17 17 7M9 7h8v8",
  close: "M6 6l12 12M18 6 6 18",
  lock: "M6 11h12v9H6zM8.500 11V8a3.500 3.500 0 0 1 7 0v3",
  inbox: "M4 13l3-8h10l3 8v6H4zM4 13h5l1.500 2.500h3L15 13h5",
} as const;

type IconName = keyof typeof paths;

/** A line icon of 24 units in the text's colour; it says nothing, so its neighbour must. */
export function Icon({ name, className = "size-5" }: { name: IconName; className?: string }) {
  return (
    <svg
      viewBox="0 0 24 24"
      aria-hidden="true"
      className={`shrink-0 ${className}`}
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d={paths[name]} />
    </svg>
  );
}
