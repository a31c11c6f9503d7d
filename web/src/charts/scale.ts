// Scales of charts: round numbers on the axis, and lines with gaps where a value is missing.

/** Round numbers from at most `low` to at least `high`, about `count` of them. */
export function ticks(low: number, high: number, count = 4): number[] {
  if (high <= low) return [low];
  const rough = (high - low) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((one) => one * power).find((one) => one >= rough) ?? 10 * power;
  const first = Math.floor(low / step) * step;
  // Counted, not added up: beside a number of eighteen digits a small step is nothing, and would never arrive.
  const steps = Math.min(Math.ceil((high - first) / step), 2 * count + 2);
  const found = Array.from({ length: steps + 1 }, (_, at) => Number((first + at * step).toPrecision(12)));
  return [...new Set(found)];
}

/** The path of a line over places from left to right; a missing value leaves a gap. */
export function linePath(
  values: (number | null)[],
  x: (place: number) => number,
  y: (value: number) => number,
): string {
  let path = "";
  let pen = false;
  values.forEach((value, place) => {
    if (value === null) {
      pen = false;
      return;
    }
    path += `${pen ? "L" : "M"}${x(place).toFixed(1)},${y(value).toFixed(1)}`;
    pen = true;
  });
  return path;
}

export function short(value: number): string {
  const size = Math.abs(value);
  if (size >= 1_000_000) return `${Number((value / 1_000_000).toPrecision(3))} M`;
  if (size >= 10_000) return `${Number((value / 1_000).toPrecision(3))} k`;
  return Number(value.toPrecision(4)).toLocaleString("en");
}
