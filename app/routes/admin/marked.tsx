/**
 * A text with its search matches marked (Marks in models/inbox.ts). Without marks it must be all that its element
 * holds, because a translator moves texts into elements of its own, where React cannot remove them.
 */
export const marked = (text: string, marks?: number[]) =>
  marks === undefined
    ? text
    : [...marks, text.length].map((end, index) => {
        const part = text.slice(marks[index - 1], end);
        return index % 2 ? <mark key={end}>{part}</mark> : <span key={end}>{part}</span>;
      });
