import type { Contact } from "./contact.server.ts";

export const detailsId = "details";

const button =
  "mt-2 grid min-h-11 w-full cursor-pointer place-items-center rounded-xl border text-md text-cover-end print:hidden";

/**
 * Every contact as a text that can be selected, and the page as a QR code: inside other apps, many
 * links lead nowhere. Opened by a button of the cover.
 */
export function Details({ contact }: { contact: Contact }) {
  const { channels, shownAddress, qr } = contact;
  return (
    <div
      popover="auto"
      id={detailsId}
      role="dialog"
      aria-label="بياناتي ورمز QR"
      // The code is on white in dark colours too, because older phones cannot read a light code on dark.
      className="details m-auto max-h-full w-[min(22rem,100%-2rem)] overflow-y-auto rounded-3xl bg-white p-6 text-start text-on-saffron backdrop:bg-[#06231c99]"
    >
      <svg
        role="img"
        aria-label={shownAddress}
        viewBox={`-2 -2.5 ${qr.size + 4} ${qr.size + 4}`}
        stroke="currentColor"
        shapeRendering="crispEdges"
        className="mx-auto size-44"
      >
        <path d={qr.path} />
      </svg>
      <dl className="my-4 grid gap-1 text-md">
        {channels.map(
          ({ name, link, address: text }) =>
            link && <Entry key={name + link} name={name} text={text ?? link} />,
        )}
        <Entry name="هذه الصفحة" text={shownAddress} />
      </dl>
      <a href="/contact.vcf" className={`${button} font-bold`}>
        حفظ جهة الاتصال
      </a>
      <button
        type="button"
        popoverTarget={detailsId}
        popoverTargetAction="hide"
        className={`${button} border-transparent`}
      >
        إغلاق
      </button>
    </div>
  );
}

function Entry({ name, text }: { name: string; text: string }) {
  return (
    <div>
      <dt className="text-sm opacity-80">{name}</dt>
      <dd>
        <bdi dir="ltr" className="select-all">
          {text}
        </bdi>
      </dd>
    </div>
  );
}
