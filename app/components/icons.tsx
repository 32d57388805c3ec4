const paths = {
  person: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.500 20.500c.8-4 3.800-6 7.500-6s6.700 2 7.500 6",
  external: "M17 17 7 7M15 7H7v8",
  check: "M5 12.500l4.500 4.500L19 7.500",
  close: "M6 6l12 12M18 6 6 18",
  lock: "M6 11h12v9H6zM8.500 11V8a3.500 3.500 0 0 1 7 0v3",
  inbox: "M4 13l3-8h10l3 8v6H4zM4 13h5l1.500 2.500h3L15 13h5",
} as const;

type IconName = keyof typeof paths;

/** A line icon in the text's colour. Screen readers skip it, so the text beside it must name it. */
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
