/** A section's title after the two dots of the first letter of «تواصل». */
export function SectionTitle({ id, children }: { id: string; children: string }) {
  return (
    <h2 id={id} className="flex items-center gap-3 text-2xl font-bold">
      <span aria-hidden="true" className="flex gap-1">
        <span className="dot border-saffron" />
        <span className="dot border-saffron" />
      </span>
      {children}
    </h2>
  );
}
