const base =
  "inline-flex min-h-11 cursor-pointer items-center justify-center gap-2 text-center rounded-xl px-4 py-2 font-semibold transition active:translate-y-px disabled:cursor-default";

const variants = {
  primary: "bg-brand text-on-brand hover:bg-brand-strong",
  accent: "bg-saffron text-[#10231f] hover:brightness-110",
  quiet: "border border-line bg-surface text-ink hover:border-brand hover:text-brand",
  text: "text-brand underline-offset-4 hover:underline",
};

/** Classes of what looks like a button: a button, or a link that takes its place. */
export function buttonClass(variant: keyof typeof variants, extra = ""): string {
  return `${base} ${variants[variant]} ${extra}`;
}
