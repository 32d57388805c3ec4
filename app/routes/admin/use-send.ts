import { type SubmitOptions, type SubmitTarget, useSubmit } from "react-router";
import { useBusy } from "#app/hooks/use-busy.ts";

/**
 * Returns a function that sends one form of the board at a time, in place of the current history entry.
 * Its changes are rendered before the next click.
 */
export function useSend() {
  const submit = useSubmit();
  const isBusy = useBusy();
  return async (target: SubmitTarget, options?: SubmitOptions): Promise<void> => {
    if (!isBusy) {
      await submit(target, {
        ...options,
        flushSync: true,
        replace: true,
        preventScrollReset: true,
      });
    }
  };
}
