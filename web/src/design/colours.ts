// The same field has the same colour on the page, in the header of the grid and in the list of fields.
export const SERIES = ["--data-1", "--data-2", "--data-3", "--data-4", "--data-5", "--data-6"] as const;

export function seriesColour(place: number): string {
  return `var(${SERIES[place % SERIES.length]})`;
}
