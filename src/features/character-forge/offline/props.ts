import type { Hand } from "./figure.ts";
import { BELONGINGS } from "./props/belongings.ts";
import { TOOLS } from "./props/tools.ts";
import { TREATS } from "./props/treats.ts";
import { circle, group, INK, line } from "./svg.ts";
import type { Wish } from "./wish.ts";

/** A thing to hold, drawn around the hand at 0, 0 within about 260 units; `over` hides the hand, which is drawn first. */
export type Prop = { readonly drawing: string; readonly over?: boolean };

/** Things by the words that name them, and by the trades that are known by them. */
export type PropTable = readonly (readonly [terms: string, gives: Prop])[];

const PROPS: PropTable = [...TOOLS, ...BELONGINGS, ...TREATS];

const HANDS = [
  { x: 812, y: 744, turn: 6, elbowX: 940 },
  { x: 208, y: 764, turn: -6, elbowX: 90 },
] as const;
const FIST = 50;

/** The things that the prompt puts in a character's hands, at most two, with the arms that hold them. */
export function heldProps(wish: Wish, hand: Hand): string {
  return wish
    .all(PROPS)
    .slice(0, HANDS.length)
    .map((prop, index) => held(prop, hand, index))
    .join("");
}

function held({ drawing, over = false }: Prop, hand: Hand, index: number): string {
  const { x, y, turn, elbowX } = HANDS[index] ?? HANDS[0];
  const shoulder = hand.shoulders?.[index];
  const arm =
    shoulder === undefined
      ? `M${elbowX} 1060C${elbowX - (elbowX - x) * 0.2} 940 ${x + (elbowX - x) * 0.3} 880 ${x} ${y + 34}`
      : `M${shoulder[0]} ${shoulder[1]}Q${(shoulder[0] + x) / 2} ${y + 130} ${x} ${y + 30}`;
  const sleeve = line(arm, INK, 2 * hand.thickness + 22) + line(arm, hand.sleeve, 2 * hand.thickness);
  const thing = group(`translate(${x} ${y}) rotate(${turn})`, drawing);
  return over ? sleeve + fist(x, y, hand.skin) + thing : sleeve + thing + fist(x, y, hand.skin);
}

const fist = (x: number, y: number, skin: string): string =>
  circle(x, y + 14, FIST, skin, `stroke="${INK}" stroke-width="11"`) +
  line(
    `M${x - 24} ${y - 4}C${x - 8} ${y - 10} ${x + 8} ${y - 10} ${x + 24} ${y - 4}M${x - 26} ${y + 18}C${x - 8} ${y + 12} ${x + 8} ${y + 12} ${x + 26} ${y + 18}`,
    INK,
    6,
  );
