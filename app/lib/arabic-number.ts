const format = new Intl.NumberFormat("ar-SA-u-nu-arab");

export const arabicNumber = (value: number): string => format.format(value);
