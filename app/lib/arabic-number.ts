const format = new Intl.NumberFormat("ar-SA-u-nu-arab");

/** A number in Arabic digits, as dates have them. */
export const arabicNumber = (value: number): string => format.format(value);
