import { type ReactNode, useEffect, useSyncExternalStore } from "react";
import { useHydrated } from "../lib/use-hydrated.ts";
import { Icon } from "./icons.tsx";

/** What the server says about what it did; a title and perhaps a sentence. */
export interface Notice {
  message: string;
  description?: string | undefined;
  type: "success" | "error" | "info" | "warning";
}

type ToastContent = Omit<Notice, "description"> & { description?: ReactNode };
type ShownToast = ToastContent & { id: number };

const visible = 3;
const lifetime = 5000;

// The browser's own list, one a tab; the server never adds to it.
let shown: readonly ShownToast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();
const none: readonly ShownToast[] = [];

function update(next: readonly ShownToast[]) {
  shown = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Shows a toast for a few seconds; the newest three stay in sight. */
export function showToast(toast: ToastContent): void {
  lastId += 1;
  update([...shown, { ...toast, id: lastId }].slice(-visible));
}

function dismiss(id: number) {
  update(shown.filter((toast) => toast.id !== id));
}

/** For who signs out: toasts may name people who wrote. */
export const clearToasts = () => update([]);

/** Where toasts appear; stands once in the document, also as the live region they are read from. */
export function Toaster() {
  const toasts = useSyncExternalStore(
    subscribe,
    () => shown,
    () => none,
  );
  return (
    <section aria-label="الإشعارات" aria-live="polite" className="notices">
      {toasts.map((toast) => (
        <TimedToast key={toast.id} toast={toast} />
      ))}
    </section>
  );
}

/**
 * A notice that came with the page. Without scripts it is part of the page; with them it
 * becomes a toast like any other.
 */
export function PageNotice({ toast }: { toast: Notice | undefined }) {
  const hydrated = useHydrated();
  useEffect(() => {
    if (toast) showToast(toast);
  }, [toast]);
  if (hydrated || !toast) return null;
  return (
    <div className="notices passing">
      <Toast toast={toast} />
    </div>
  );
}

function TimedToast({ toast }: { toast: ShownToast }) {
  const { id } = toast;
  useEffect(() => {
    const timer = setTimeout(dismiss, lifetime, id);
    return () => clearTimeout(timer);
  }, [id]);
  return (
    <Toast toast={toast}>
      <button
        type="button"
        onClick={() => dismiss(id)}
        className="-m-2 grid size-10 shrink-0 cursor-pointer place-items-center rounded-full"
      >
        <Icon name="close" className="size-4" />
        <span className="sr-only">إغلاق الإشعار</span>
      </button>
    </Toast>
  );
}

const dots = {
  success: "bg-brand",
  info: "bg-ink",
  warning: "bg-saffron",
  error: "bg-danger",
};

export function Toast({ toast, children }: { toast: ToastContent; children?: ReactNode }) {
  const { type, message, description } = toast;
  const isError = type === "error";
  return (
    <div
      role={isError ? "alert" : "status"}
      className={`rise flex items-start gap-3 rounded-xl border p-4 shadow-lg ${
        isError ? "border-danger bg-danger-tint text-danger" : "border-field bg-tint text-ink"
      }`}
    >
      <span aria-hidden="true" className={`mt-2.5 size-2.5 shrink-0 rounded-full ${dots[type]}`} />
      <div className="min-w-0 grow">
        <p className="font-semibold">{message}</p>
        {description && (
          <p className="text-sm wrap-anywhere">
            <bdi>{description}</bdi>
          </p>
        )}
      </div>
      {children}
    </div>
  );
}
