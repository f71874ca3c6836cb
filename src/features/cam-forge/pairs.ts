/** A point in mm. */
type Point = { readonly x: number; readonly y: number };

/**
 * Visits every pair of points that are less than `reach()` mm apart in y, as indices, each pair once. The reach is asked
 * again for each pair, so that it may shrink on the way.
 */
export function eachNearPair(
  points: readonly Point[],
  reach: () => number,
  visit: (a: number, b: number) => void,
): void {
  const order = points.map((_, index) => index);
  const y = points.map((point) => point.y);
  order.sort((a, b) => (y[a] as number) - (y[b] as number));
  for (let k = 0; k < order.length; k++) {
    const a = order[k] as number;
    for (let l = k + 1; l < order.length; l++) {
      const b = order[l] as number;
      if ((y[b] as number) - (y[a] as number) >= reach()) break;
      visit(a, b);
    }
  }
}
