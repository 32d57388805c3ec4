import { Disclosure } from "#app/components/disclosure.tsx";
import { arabicNumber } from "#app/lib/arabic-number.ts";
import type { Counts } from "#app/models/counts.server.ts";
import { RowButton } from "./row.tsx";
import { Section } from "./section.tsx";

const sum = (times: number[]) => times.reduce((total, count) => total + count, 0);
const barHeight = 24;
// The least number of days with a value. Fewer bars would show no trend.
const fewestDays = 3;

const shown = (count: number) => (count === 0 ? "—" : arabicNumber(count));

export function CountsSection({ isOn, days, lines }: Counts) {
  const [views, ...taps] = lines;
  const periods = [
    { title: "اليوم", length: 1 },
    { title: "٧ أيام", length: 7 },
    { title: "٢٨ يومًا", length: 28 },
  ];
  return (
    <Section
      id="counts"
      title="عدّ الزيارات"
      text={
        <>
          الأرقام حد أدنى، فبعض المتصفحات تمنع العدّ. ولا يُعرف من زار الصفحة.
          {!isOn && " العدّ متوقف الآن."}
        </>
      }
      action={
        <div className="flex">
          <RowButton value="change-counts" fields={{ counts: "reset" }}>
            تصفير الأرقام
          </RowButton>
          <RowButton
            value="change-counts"
            fields={{ counts: isOn ? "off" : "on" }}
            aria-label={isOn ? "إيقاف العدّ" : "تشغيل العدّ"}
          >
            {isOn ? "إيقاف" : "تشغيل"}
          </RowButton>
        </div>
      }
    >
      <table className="w-full border-collapse text-start [&_td]:py-2 [&_td]:text-center [&_th]:py-2">
        <thead>
          <tr>
            <th scope="col" className="text-start text-sm text-muted">
              ما يُعدّ
            </th>
            {periods.map(({ title }) => (
              <th key={title} scope="col" className="text-sm text-muted">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {lines.map(({ what, name, times }) => (
            <tr key={what}>
              <th scope="row" className="text-start">
                {name}
                {times.filter(Boolean).length >= fewestDays && <Bars times={times} />}
              </th>
              {periods.map(({ title, length }) => (
                <td key={title}>{shown(sum(times.slice(-length)))}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <Disclosure title="يومًا بيوم">
        <table className="w-full border-collapse [&_td]:text-center">
          <thead>
            <tr>
              <th scope="col">اليوم</th>
              <th scope="col">المشاهدات</th>
              <th scope="col">النقرات</th>
            </tr>
          </thead>
          <tbody>
            {days
              .map(({ day, date }, index) => (
                <tr key={day}>
                  <th scope="row" className="text-start">
                    <time dateTime={day}>{date}</time>
                  </th>
                  <td>{shown(views?.times[index] ?? 0)}</td>
                  <td>{shown(sum(taps.map(({ times }) => times[index] ?? 0)))}</td>
                </tr>
              ))
              .toReversed()}
          </tbody>
        </table>
      </Disclosure>
    </Section>
  );
}

/** A bar for each day, the oldest at the right. The numbers stand next to it. */
function Bars({ times }: { times: number[] }) {
  const most = Math.max(...times, 1);
  return (
    <svg
      viewBox={`0 0 ${times.length * 4} ${barHeight}`}
      aria-hidden="true"
      className="block h-6 w-28 text-brand"
      fill="currentColor"
    >
      {times.map((count, index) => {
        const height = Math.ceil((count / most) * barHeight);
        const place = times.length - 1 - index;
        // The index stands for the day.
        // oxlint-disable-next-line react/no-array-index-key
        return <rect key={place} x={place * 4} y={barHeight - height} width={3} height={height} />;
      })}
    </svg>
  );
}
