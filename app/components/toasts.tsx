import {
  type ComponentProps,
  type ReactNode,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { Link } from "react-router";
import { useHydrated } from "#app/hooks/use-hydrated.ts";
import { Icon } from "./icons.tsx";
import {
  dismissToast,
  showToast,
  type ShownToast,
  type ToastContent,
  type ToastMessage,
  useToasts,
} from "./toast-store.ts";

const lifetime = 5000;
const tick = 250;

const toastsClass =
  "toasts pointer-events-none fixed inset-x-4 z-10 grid justify-items-center gap-3.5";

/**
 * This is one live region for all toasts. With another region inside, screen readers would say each toast
 * twice.
 */
export function Toaster() {
  const toasts = useToasts();
  const [isAbove, setIsAbove] = useState(false);
  useLayoutEffect(() => {
    // This makes the browser lay the page out at once.
    if (toasts.length === 0) {
      return;
    }
    const place = () => setIsAbove(focusIsLow());
    place();
    addEventListener("focusin", place);
    return () => removeEventListener("focusin", place);
  }, [toasts]);
  return (
    <section
      aria-label="الإشعارات"
      aria-live="polite"
      className={`${toastsClass} ${isAbove ? "above top-4" : "bottom-4"}`}
    >
      {toasts.map((toast) => (
        <TimedToast key={toast.id} toast={toast} />
      ))}
    </section>
  );
}

/** Whether the focus is in the lower half. Toasts then show at the top, so as not to cover it. */
function focusIsLow() {
  // This does not apply to a whole list or pane, whose middle says nothing, nor to the dock: toasts lie above it.
  const focused = document.querySelector("main :focus:not(ol, aside, .dock *)");
  const { top = 0, bottom = 0 } = focused?.getBoundingClientRect() ?? {};
  return top + bottom > innerHeight;
}

/** A toast that is part of the page. Scripts take it over. */
export function PageToast({ toast }: { toast: ToastMessage | undefined }) {
  const hydrated = useHydrated();
  const shown = useRef<ToastMessage>(undefined);
  useEffect(() => {
    // In development React runs effects twice.
    if (toast && toast !== shown.current) {
      showToast(toast);
    }
    shown.current = toast;
  }, [toast]);
  if (hydrated || !toast) {
    return null;
  }
  return (
    <div className={`${toastsClass} passing bottom-4`}>
      <Toast role={toast.type === "error" ? "alert" : "status"} toast={toast} />
    </div>
  );
}

function TimedToast({ toast }: { toast: ShownToast }) {
  const { id, isLeaving } = toast;
  const element = useRef<HTMLDivElement>(null);

  useEffect(() => {
    let left = lifetime;
    const timer = setInterval(() => {
      if (element.current?.parentElement?.matches(":hover, :focus-within")) {
        return;
      }
      left -= tick;
      if (left === 0) {
        dismissToast(toast.id);
      }
    }, tick);
    return () => clearInterval(timer);
  }, [toast]);

  return (
    <Toast ref={element} toast={toast} className={isLeaving ? "leaving" : ""}>
      <button
        type="button"
        onClick={() => dismissToast(id)}
        className="-m-2.5 grid size-11 flex-none cursor-pointer place-items-center rounded-full"
      >
        <Icon path="M6 6l12 12M18 6 6 18" className="size-4" />
        <span className="sr-only">إغلاق الإشعار</span>
      </button>
    </Toast>
  );
}

const looks = {
  success: { toast: "border-field bg-tint", dot: "border-brand" },
  info: { toast: "border-field bg-tint", dot: "border-ink" },
  warning: { toast: "border-field bg-tint", dot: "border-saffron" },
  error: { toast: "border-danger bg-danger-tint text-danger", dot: "border-danger" },
};

/** An error of a service is shown as it came. */
const isEnglish = (text: ReactNode) => typeof text === "string" && /^[ -~]+$/.test(text);

type ToastProps = ComponentProps<"div"> & { toast: ToastContent };

function Toast({ toast, className = "", children, ...props }: ToastProps) {
  const { type, message, description, to } = toast;
  const title = to === undefined ? message : <Link to={to}>{message}</Link>;
  return (
    <div
      {...props}
      className={`rise raised pointer-events-auto flex w-[min(356px,100%)] items-start gap-3 rounded-xl border p-4 ${looks[type].toast} ${className}`}
    >
      <span aria-hidden="true" className={`dot mt-2.5 ${looks[type].dot}`} />
      <div className="min-w-0 flex-1">
        <p className="font-bold">{title}</p>
        {description && (
          <p className="text-sm wrap-anywhere">
            <bdi lang={isEnglish(description) ? "en" : undefined}>{description}</bdi>
          </p>
        )}
      </div>
      {children}
    </div>
  );
}
