/** Takes triangles of corner indices, counter-clockwise, and knows where the corners are, in grid steps. */
export class Triangles {
  readonly #xy: Float64Array;
  readonly corners: Uint32Array;
  #end = 0;

  constructor(xy: Float64Array, count: number) {
    this.#xy = xy;
    this.corners = new Uint32Array(3 * count);
  }

  add(a: number, b: number, c: number): void {
    this.corners[this.#end++] = a;
    this.corners[this.#end++] = b;
    this.corners[this.#end++] = c;
  }

  /** Twice the area of a triangle, positive when it is counter-clockwise. Exact: all of it stays under 2^53. */
  turn(a: number, b: number, c: number): number {
    const xy = this.#xy;
    const x = xy[2 * a] as number;
    const y = xy[2 * a + 1] as number;
    return (
      ((xy[2 * b] as number) - x) * ((xy[2 * c + 1] as number) - y) -
      ((xy[2 * b + 1] as number) - y) * ((xy[2 * c] as number) - x)
    );
  }
}
