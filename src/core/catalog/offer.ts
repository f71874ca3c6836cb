import type { Price } from "../money.ts";

/** Where capabilities are sold. */
export const SURFACES = ["marketplace", "tool-api"] as const;
export type Surface = (typeof SURFACES)[number];

/** How a capability is sold at one surface. A capability may have any number of offers; an internal one has none. */
export type Offer = {
  readonly surface: Surface;
  /** What it is called there; unique on its surface. */
  readonly name: string;
  /** A path of its own, where it is not called under its name. */
  readonly route?: { readonly method: "GET" | "POST"; readonly path: string };
  readonly price: Price;
  /** `vip`: for accounts of that tier alone, at no price; others are refused. */
  readonly access: "paid" | "free" | "vip";
  /** What this surface shows of an output: its own field names. */
  readonly project?: (output: unknown) => unknown;
};

/** An offer as a declaration writes it: the name is the slug, and the access `paid`, where nothing else is said. */
export type DeclaredOffer = Omit<Offer, "name" | "access"> & Partial<Pick<Offer, "name" | "access">>;

/** What is sold where, in which currency. */
export const CURRENCY = { marketplace: "MESH", "tool-api": "USD" } as const satisfies Record<
  Surface,
  Price["currency"]
>;

/** What is wrong with the offers of a declaration, each in words. */
export const offerFaults = (offers: readonly DeclaredOffer[]): string[] =>
  offers.flatMap(({ surface, price, access }) => {
    const faults: string[] = [];
    if (!SURFACES.includes(surface)) return [`there is no surface ${surface}`];
    if (!Number.isSafeInteger(price.amount) || price.amount < 0)
      faults.push(`the ${surface} price ${price.amount} is not a whole number`);
    if (price.currency !== CURRENCY[surface])
      faults.push(`the ${surface} price is not in ${CURRENCY[surface]}`);
    if (access === "free" && price.amount !== 0)
      faults.push(`it is free on the ${surface} and has a price there`);
    if (access === "vip" && price.amount !== 0)
      faults.push(`it costs VIPs nothing on the ${surface} and has a price there`);
    return faults;
  });
