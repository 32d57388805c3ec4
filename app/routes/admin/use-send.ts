import { type SubmitOptions, type SubmitTarget, useSubmit } from "react-router";
import { useBusy } from "#app/hooks/use-busy.ts";

/**
 * Returns what sends a form of the board, one at a time, in place of the current entry of the history.
 * What it changes is rendered before the next click.
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
