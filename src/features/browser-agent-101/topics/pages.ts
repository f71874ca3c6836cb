import type { Topic } from "../topic.ts";

/** How anything on a page is found. */
export const FINDING: Topic = {
  terms: [
    "click",
    "button",
    "selector",
    "element",
    "locator",
    "link",
    "xpath",
    "find element",
    "accessibility tree",
  ],
  idea: "An agent finds things most reliably the way a person does, by role and visible name in the accessibility tree; CSS paths and coordinates break with the next release of the page.",
  steps: [
    "Take a snapshot of the accessibility tree and find the element by its role and name, such as button “Save”.",
    "Act on exactly one match; narrow the search to a region of the page when there are several.",
    "Read the page again after the click and compare, instead of assuming that it worked.",
  ],
  pitfalls: [
    "Element references go stale when the page renders again: look the element up anew before each action.",
    "An overlay or a sticky header swallows the click: scroll the element into view and check what lies on top of it.",
  ],
};

/** Finding, reading and operating what is on a page. */
export const PAGES: readonly Topic[] = [
  FINDING,
  {
    terms: [
      "form",
      "fill",
      "input",
      "type",
      "submit",
      "field",
      "checkbox",
      "dropdown",
      "date picker",
      "autocomplete",
      "sign up",
      "register",
      "application",
    ],
    idea: "A form is filled field by field by its labels, and what stands in each field is read back before the form is sent.",
    steps: [
      "List the form's fields with their labels, types and which of them are required.",
      "Fill each field by its label; choose a dropdown's option by its text and type dates in the format that the field shows.",
      "Read all fields back, then submit once and wait for the confirmation or for the messages beside the fields.",
    ],
    pitfalls: [
      "Setting a value by script fires no events, so the page ignores it: type as a keyboard does.",
      "A second click on Submit sends the form twice: disable retries for steps that cannot be taken back.",
    ],
  },
  {
    terms: [
      "wait",
      "load",
      "slow",
      "timeout",
      "spinner",
      "dynamic",
      "javascript",
      "flaky",
      "single page",
      "spa",
      "lazy",
      "ajax",
      "race",
    ],
    idea: "Wait for a state that shows that the page is ready (an element, a text, a finished request) and never for a number of seconds.",
    steps: [
      "Name what shows that the page is ready, for instance that the results' heading is visible.",
      "Wait for that with an upper limit, and treat the limit as a failure that is reported.",
      "On failure keep a screenshot and the page's text, then try once more from a known page.",
    ],
    pitfalls: [
      "Fixed pauses are too short on a bad day and too long on all others.",
      "“Network idle” never comes on pages that poll or stream: wait for content instead.",
    ],
  },
  {
    terms: [
      "scrape",
      "extract",
      "collect",
      "data",
      "table",
      "price",
      "list",
      "crawl",
      "read page",
      "content",
      "product",
      "csv",
      "structured",
      "monitor",
      "compare",
    ],
    idea: "Reading data is steadier than operating the page: fix the fields that are wanted first, read them from the page's structure or from the requests behind it, and check every row.",
    steps: [
      "Look for an official API, feed or download first, and read the site's terms and robots.txt.",
      "Write down the fields that are wanted with their types, and where on the page each of them stands.",
      "Read one page into rows, check types and counts, and only then go through the others.",
      "Keep with each row the address and the time at which it was read.",
    ],
    pitfalls: [
      "A language model that copies out long tables loses or invents rows: let code read the structure and the model only find it.",
      "Missing values become shifted columns: read each row by its labels and leave empty what is not there.",
    ],
  },
  {
    terms: ["pagination", "next page", "infinite scroll", "scroll", "pages", "all results", "load more"],
    idea: "Going through many pages is a loop with a known end: a marker of progress, a check for repetition, and a limit.",
    steps: [
      "Read the total that the page shows, or what its last page looks like.",
      "Go on by the next link or by scrolling until the number of rows grows, and note the last item that was seen.",
      "Stop at the end marker, when nothing new comes, or at a limit set beforehand, and say which of them it was.",
    ],
    pitfalls: [
      "Lists that change while they are read give doubles and gaps: remove doubles by an identifier.",
      "Lists that show only what is on screen drop earlier rows: save rows while scrolling.",
    ],
  },
  {
    terms: ["iframe", "shadow dom", "frame", "embedded", "canvas", "widget", "map", "payment form"],
    idea: "What lies in a frame or a shadow root is a document of its own: enter it first, and use screenshots only for what is drawn, such as a canvas.",
    steps: [
      "List the page's frames and choose the right one by its address or title.",
      "Find the element inside that frame by its role and name.",
      "For a canvas or a map take a screenshot, act by coordinates, and check with a second screenshot.",
    ],
    pitfalls: [
      "Frames of another origin cannot be read by script in the page: use the browser's own protocol.",
      "Coordinates depend on window size and zoom: fix both.",
    ],
  },
  {
    terms: [
      "popup",
      "pop-up",
      "cookie",
      "consent",
      "banner",
      "modal",
      "dialog",
      "alert",
      "newsletter",
      "notification",
    ],
    idea: "Dialogs and banners come at any time, so the agent looks for them before each action and has one rule for each kind.",
    steps: [
      "Before each action check for a dialog or a banner over the page.",
      "Decline optional cookies unless the owner decided otherwise, and close newsletters.",
      "Answer the browser's own dialogs with a rule that was set before, and note what was answered.",
    ],
    pitfalls: [
      "Some consent dialogs render late and cover what was just found: check again after waiting.",
      "Accepting everything by habit also accepts downloads, notifications and terms.",
    ],
  },
  {
    terms: ["download", "upload", "file", "attachment", "pdf", "invoice", "export", "report"],
    idea: "Files travel through the browser's own events: wait for the download itself and check the file, rather than the button.",
    steps: [
      "Start listening for the download, then trigger it.",
      "Save it under a name of your own in a folder for this run.",
      "Check size, type and one known value in the file before going on; for an upload, check the name that the page shows.",
    ],
    pitfalls: [
      "A link that opens a viewer starts no download: fetch its address with the session's cookies.",
      "A half-written file looks finished: wait for the download to end.",
    ],
  },
];
