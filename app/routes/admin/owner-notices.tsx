import type { BoardFault } from "./board-faults.server.ts";
import type { ShownDoubt } from "./date-doubt.server.ts";
import { DateDoubt } from "./date-doubt.tsx";
import { Fault } from "./fault.tsx";
import { Readiness } from "./readiness.tsx";

interface Props {
  doubt: ShownDoubt | undefined;
  faults: BoardFault[];
  lacks: string[];
}

/** What the owner should see to, above the messages. */
export const OwnerNotices = ({ doubt, faults, lacks }: Props) => (
  <>
    {doubt && <DateDoubt {...doubt} />}
    {faults.map((fault) => !fault.isTip && <Fault key={fault.to} {...fault} />)}
    {lacks.length > 0 && <Readiness lacks={lacks} />}
  </>
);
