import type { TopicName } from "./topics.ts";

/** A body of rules that systems are audited against. */
export type Framework = {
  readonly name: string;
  /** Other names by which it is called. */
  readonly alsoCalled: RegExp;
  /** Whether a scope that does not name it is still under it. */
  readonly concerns: (scope: string) => boolean;
  /** What it asks for, and where. */
  readonly controls: readonly { readonly reference: string; readonly topic: TopicName }[];
};

/** Controls in a short form: `"Art. 14": "oversight"`. */
export const controls = (list: Readonly<Record<string, TopicName>>): Framework["controls"] =>
  Object.entries(list).map(([reference, topic]) => ({ reference, topic }));
