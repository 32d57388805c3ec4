/** The two dots of the letter that begins «تواصل» stand before each title. */
export function SectionTitle({ id, children }: { id: string; children: string }) {
  return (
    <h2 id={id} className="flex items-center gap-3 text-lg font-bold">
      <span aria-hidden="true" className="flex gap-1">
        <span className="size-2 rounded-full bg-saffron" />
        <span className="size-2 rounded-full bg-saffron" />
      </span>
      {children}
    </h2>
  );
}
