const base =
  "inline-flex min-h-11 cursor-pointer items-center justify-center gap-2 text-center rounded-xl border px-4 py-2 font-bold disabled:cursor-default";

const variants = {
  primary: "border-transparent bg-brand text-on-brand hover:bg-brand-strong",
  quiet: "border-line bg-surface text-ink hover:border-brand hover:text-brand",
  danger: "border-line bg-surface text-danger hover:border-danger",
  text: "border-transparent text-brand underline-offset-4 hover:underline",
};

/** Invisible borders are transparent: forced colours show them. */
export function buttonClass(variant: keyof typeof variants, extra = ""): string {
  return `${base} ${variants[variant]} ${extra}`;
}
