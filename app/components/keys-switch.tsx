import { useHydrated } from "#app/hooks/use-hydrated.ts";
import { useKeysSetting } from "#app/hooks/use-keys-setting.ts";

/** Turns the board's keys on and off. Only with scripts, as the keys themselves. */
export function KeysSwitch() {
  const [isOn, setKeys] = useKeysSetting();
  return (
    useHydrated() && (
      <label className="flex min-h-11 items-center gap-2">
        <input
          type="checkbox"
          checked={isOn}
          onChange={({ currentTarget }) => setKeys(currentTarget.checked)}
        />
        استعمال الاختصارات
      </label>
    )
  );
}
