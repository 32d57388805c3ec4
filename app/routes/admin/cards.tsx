import { href } from "react-router";

/** The site's star as an outline. */
export function Star() {
  return <span aria-hidden="true" className="empty-star" />;
}

export function EmptyBox({ text }: { text: string }) {
  return (
    <div className="empty">
      <Star />
      <p>{text}</p>
    </div>
  );
}

export function ClosedBoard() {
  return (
    <div className="empty">
      <Star />
      <p>هذا الصندوق لصاحب الموقع وحده</p>
      <p className="why">
        حسابك يعمل، لكن رسائل الزوار لا تظهر إلا لصاحب الموقع. إن كنت صاحبه فسجّل الخروج ثم ادخل بحسابك
        الآخر.
      </p>
    </div>
  );
}

export function UnownedNote() {
  return (
    <form action={href("/admin/claim")} className="panel">
      <p>كل حساب مسجّل في الموقع يستطيع قراءة هذه الرسائل. سجّله باسمك لترد وتؤرشف.</p>
      <button type="submit" className="panel-button">
        اجعل الصندوق لي وحدي
      </button>
    </form>
  );
}

export function LoadingCard() {
  return (
    <div aria-busy="true" className="loading">
      <p>جاري التحميل...</p>
      <span aria-hidden="true" />
      <span aria-hidden="true" />
      <span aria-hidden="true" />
    </div>
  );
}
