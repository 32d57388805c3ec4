/** A text with its search matches marked (Marks in models/inbox.ts). */
export function Marked({ text, marks }: { text: string; marks?: number[] | undefined }) {
  return marks === undefined
    ? text
    : [...marks, text.length].map((end, index) => {
        const part = text.slice(marks[index - 1], end);
        return index % 2 ? <mark key={end}>{part}</mark> : part;
      });
}
