/**
 * A stream that pulls one text at a time. Calls `onEnd` at the end, on an error and on a cancel: also
 * one before the first read, when `ReadableStream.from` would run nothing of a generator.
 */
export function textStream(
  texts: AsyncGenerator<string>,
  onEnd: (error?: unknown) => void,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream(
    {
      async pull(controller) {
        try {
          const { done, value } = await texts.next();
          if (!done) {
            controller.enqueue(encoder.encode(value));
            return;
          }
          controller.close();
          onEnd();
        } catch (error) {
          controller.error(error);
          onEnd(error);
        }
      },
      async cancel() {
        onEnd();
        await texts.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}
