/** What is worn on the head of a person: behind it and in front of it. */
export type Headgear = { readonly back: string; readonly front: string };

/** What lies on the head and has nothing behind it. */
export const front = (drawing: string): Headgear => ({ back: "", front: drawing });
