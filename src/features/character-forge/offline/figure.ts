/** How a figure holds things. */
export type Hand = {
  readonly skin: string;
  readonly sleeve: string;
  /** Half of what an arm is wide. */
  readonly thickness: number;
  /** Where the arms begin, right and left; null for those of a person, which come from below. */
  readonly shoulders: readonly [right: Point, left: Point] | null;
};

export type Point = readonly [x: number, y: number];

/** A character, drawn in the layers between which others are laid. */
export type Figure = {
  /** Behind the body, such as the back of a hat. */
  readonly back: string;
  readonly body: string;
  /** On the body. */
  readonly outfit: string;
  /** On the head. */
  readonly front: string;
  /** Null for a figure that holds nothing. */
  readonly hand: Hand | null;
};
