/** Separates new messages from those of earlier visits. */
export function NewMessagesDivider() {
  return (
    <p className="new-line">
      <span aria-hidden="true">↑ جديد منذ زيارتك الأخيرة</span>
      <span className="sr-only">ما قبل هذا جديد منذ زيارتك الأخيرة</span>
    </p>
  );
}
