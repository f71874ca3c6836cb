/** Verbs that tasks begin with, in their plain form. */
const VERBS = (
  "accept achieve add adjust agree align allocate analyse analyze announce apply appoint approve archive arrange ask " +
  "assemble assign attach audit automate back backup benchmark book bring build buy calculate call cancel capture " +
  "change check choose clean clear close collect combine compare compile complete compose configure confirm connect " +
  "contact convert cook copy correct count create cut decide decommission define delete deliver demolish deploy design " +
  "destroy determine develop disable discuss distribute document download draft draw drive drop edit email enable " +
  "enter erase establish estimate evaluate examine execute expand explain export extend extract fetch file fill find " +
  "finish fire fix follow force format forward gather generate get give hand hire host identify implement import " +
  "improve inform inspect install integrate interview introduce invest investigate invite invoice issue launch lay " +
  "learn lease let limit list load lock log mail make map mark measure meet merge message migrate mix monitor move " +
  "negotiate notify obtain offer open optimise optimize order organise organize overwrite pack paint pay pick place " +
  "plan plant polish post prepare present print prioritise prioritize process produce program publish pull purchase " +
  "purge push put read rebuild recommend record recruit reduce refactor refund register release remove rename renew " +
  "rent repair replace report request research reset resolve restart restore restructure retire return review revise " +
  "rewrite rollout rotate run scan schedule search secure select sell send separate set setup share ship show sign " +
  "simplify skip sort split start stop store submit summarise summarize supply support switch sync take talk tell " +
  "terminate test tidy track train transfer transform translate truncate try turn uninstall unpack update upgrade " +
  "upload validate verify visit wait warn wash weld wipe wire wrap write"
).split(" ");

/** Matches a verb as a whole word, at a place that `before` and `after` describe. */
export const VERB = `(?:${VERBS.join("|")})`;

const SOFT_BEGINNINGS =
  /^(?:please|kindly|first|firstly|second|secondly|third|lastly|also|just|simply|we|i|you|they|the team|need to|needs to|have to|has to|must|should|would like to|want to|wants to|will|shall|let us|let's|going to|am|are|is|to|can|could)\s*,?\s+/i;

/** A clause without what only leads up to its verb: `please`, `we need to`. */
export function withoutLead(clause: string): string {
  let bare = clause.trim();
  for (let next = bare.replace(SOFT_BEGINNINGS, ""); next !== bare; next = bare.replace(SOFT_BEGINNINGS, ""))
    bare = next;
  return bare;
}

const BEGINS_WITH_VERB = new RegExp(`^${VERB}\\b`, "i");

/** Whether a clause is an order to do something. */
export const isAction = (clause: string): boolean => BEGINS_WITH_VERB.test(withoutLead(clause));
