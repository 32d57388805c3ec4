import { MessageForm, type MessageResult } from "./message-form.tsx";
import { Thanks } from "./thanks.tsx";

interface Props {
  result: MessageResult | undefined;
  isSent: boolean;
  isBeside: boolean;
}

export function MessageSection({ result, isSent, isBeside }: Props) {
  const place = isBeside ? "xl:me-10 xl:rounded-3xl xl:p-8" : "";
  return (
    <section
      aria-labelledby="write"
      className={`flex flex-col bg-panel p-5 sm:p-10 print:hidden ${place}`}
    >
      {isSent ? <Thanks /> : <MessageForm result={result} isBeside={isBeside} />}
    </section>
  );
}
