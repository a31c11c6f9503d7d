/** A number with what it counts: "1 row", "1,200 rows". */
export const counted = (count: number, what: string): string =>
  `${count.toLocaleString("en")} ${what}${count === 1 ? "" : "s"}`;
