import type { PushDevice } from "#app/models/push.server.ts";
import type { AccountSession } from "#app/models/sessions.server.ts";
import { unknownDevice } from "./devices-section.tsx";
import { Row, RowButton } from "./row.tsx";
import { Since, ThisDevice } from "./this-device.tsx";

export interface PushDevicesProps {
  pushKey: string;
  devices: PushDevice[];
  sessions: AccountSession[];
}

/** The devices with push notifications: this one first. */
export function PushDevices({ pushKey, devices, sessions }: PushDevicesProps) {
  const nameOf = (session: string) =>
    sessions.find(({ id }) => id === session)?.device ?? unknownDevice;
  const others = devices.filter(({ isCurrent }) => !isCurrent);
  return (
    <>
      <ul aria-label="أجهزة التنبيهات" className="divide-y divide-line">
        <ThisDevice pushKey={pushKey} here={devices.find(({ isCurrent }) => isCurrent)} />
        {others.map(({ id, session, since, date }) => (
          <Row
            key={id}
            title={nameOf(session)}
            action={
              <RowButton name="push-off" value={id} aria-label={`إيقاف تنبيهات ${nameOf(session)}`}>
                إيقاف
              </RowButton>
            }
          >
            <Since since={since} date={date} />
          </Row>
        ))}
      </ul>
      {devices.length > 0 && (
        <p className="text-sm text-muted">
          كي لا تتوقف تنبيهات جهاز، افتح صندوق رسائلك عليه مرة كل ثلاثين يومًا على الأقل.
        </p>
      )}
    </>
  );
}
