import { type SubmitOptions, type SubmitTarget, useSubmit } from "react-router";
import { useBusy } from "#app/hooks/use-busy.ts";

/**
 * Returns a function that sends one form of the board at a time, in place of the current history entry.
 * Its changes are rendered before the next click.
 */
export function useSend(): (target: SubmitTarget, options?: SubmitOptions) => void {
  const submit = useSubmit();
  const isBusy = useBusy();
  return (target, options) => {
    if (!isBusy) {
      const how = { flushSync: true, replace: true, preventScrollReset: true };
      void submit(target, { ...options, ...how });
    }
  };
}
