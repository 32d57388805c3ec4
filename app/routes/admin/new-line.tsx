/** Between the messages that are new and those of earlier visits. */
export function NewLine() {
  return (
    <p className="flex items-center gap-3 px-4 py-1 text-sm text-muted before:h-px before:grow before:bg-line after:h-px after:grow after:bg-line">
      <span aria-hidden="true">↑ جديد منذ زيارتك الأخيرة</span>
      <span className="sr-only">ما قبل هذا جديد منذ زيارتك الأخيرة</span>
    </p>
  );
}
