/** When work of a kind comes: material is gathered, worked on, made into something, and handed over. */
export type Stage = "gather" | "work" | "make" | "hand over";

/** A kind of work that tools do and tasks ask for, known by its words. */
export type KindOfWork = {
  readonly name: string;
  readonly stage: Stage;
  /** How long one step of it takes, by rule of thumb. */
  readonly minutes: number;
  /** Words of tasks and of tools' names, in any inflected form. */
  readonly words: readonly string[];
};

const kind = (name: string, stage: Stage, minutes: number, words: string): KindOfWork => ({
  name,
  stage,
  minutes,
  words: words.split(" "),
});

/** Kinds of work by their words. A word may stand for several. */
export const KINDS_OF_WORK: readonly KindOfWork[] = [
  kind(
    "search",
    "gather",
    4,
    "search find look lookup google research discover investigate serp news explore scout",
  ),
  kind(
    "read",
    "gather",
    2,
    "read open fetch load download scrape crawl browse browser visit http url web page pdf ocr parse import collect gather get retrieve",
  ),
  kind("query", "gather", 3, "query sql database postgres bigquery warehouse select records crm list count"),
  kind(
    "analyse",
    "work",
    6,
    "analyse analyze analysis analytics compare evaluate assess review rank score calculate calculator compute math python statistics sum average forecast estimate classify",
  ),
  kind("summarise", "work", 3, "summarise summarize summary summarizer condense digest extract shorten"),
  kind("translate", "work", 3, "translate translation translator localise localize deepl"),
  kind("check", "work", 4, "check verify validate test lint proofread confirm inspect audit qa approve"),
  kind(
    "write",
    "make",
    10,
    "write writer draft compose report document article blog author edit editor copywriter letter text doc brief proposal outline",
  ),
  kind(
    "picture",
    "make",
    5,
    "image picture draw illustrate illustration design render photo logo paint poster",
  ),
  kind("chart", "make", 5, "chart plot graph visualise visualize diagram slide presentation dashboard"),
  kind(
    "program",
    "make",
    15,
    "code coder program implement script develop refactor fix build compile git github repair debug",
  ),
  kind("plan", "make", 5, "plan organise organize prioritise prioritize prepare create make"),
  kind(
    "schedule",
    "hand over",
    2,
    "schedule calendar meeting book appointment remind reminder invite event reserve",
  ),
  kind(
    "send",
    "hand over",
    2,
    "send email mail mailer gmail notify message slack sms reply tell inform share forward call contact",
  ),
  kind("publish", "hand over", 4, "publish post deploy release upload tweet cms launch wordpress announce"),
  kind(
    "keep",
    "hand over",
    2,
    "save store file record log notion sheet sheets spreadsheet insert update archive export remember drive",
  ),
  kind("pay", "hand over", 3, "pay payment buy order purchase invoice charge checkout refund stripe"),
];

/** Words in the names of tools that can do a little of everything. */
export const GENERAL_TOOL_WORDS: readonly string[] =
  "llm gpt agent assistant ai model chat general claude".split(" ");
