import { type ReactNode, useSyncExternalStore } from "react";
import type { To } from "react-router";

export interface ToastMessage {
  message: string;
  description?: string | undefined;
  type: "success" | "error" | "info" | "warning";
}

export type ToastContent = Omit<ToastMessage, "description"> & {
  description?: ReactNode;
  /** Where its text leads. A toast with it is news, and one without it the result of an action. */
  to?: To;
};

export interface ShownToast extends ToastContent {
  id: number;
  isLeaving?: boolean;
}

const visible = 3;
// As long as the animation of .leaving.
const removal = 200;

// One list for each tab; the server never adds to it.
let shown: readonly ShownToast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();
const none: readonly ShownToast[] = [];

function update(next: readonly ShownToast[]) {
  shown = next;
  for (const listener of listeners) {
    listener();
  }
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const change = (id: number, fields: Partial<ShownToast>) =>
  update(shown.map((toast) => (toast.id === id ? { ...toast, ...fields } : toast)));

/**
 * Shows a toast for some seconds, the newest three at once. A repeated one stays longer, and a new result takes
 * the place of the one before.
 */
export function showToast(toast: ToastContent): void {
  const equal = shown.find(
    ({ type, message, description, isLeaving }) =>
      type === toast.type &&
      message === toast.message &&
      description === toast.description &&
      !isLeaving,
  );
  if (equal) {
    change(equal.id, {});
  } else {
    lastId += 1;
    const others = shown.filter(({ to }) => to !== undefined || toast.to !== undefined);
    update([...others, { ...toast, id: lastId }].slice(-visible));
  }
}

export function dismissToast(id: number) {
  change(id, { isLeaving: true });
  setTimeout(() => update(shown.filter((toast) => toast.id !== id)), removal);
}

export const useToasts = () =>
  useSyncExternalStore(
    subscribe,
    () => shown,
    () => none,
  );
