import type { Topic } from "../topic.ts";

/** What a browser agent is and how one begins. */
export const STARTING: Topic = {
  terms: [
    "playwright",
    "puppeteer",
    "selenium",
    "webdriver",
    "cdp",
    "browser use",
    "mcp",
    "framework",
    "library",
    "tool",
    "which",
    "choose",
    "computer use",
    "start",
    "begin",
    "set up",
    "install",
  ],
  idea: "A browser agent is a loop: look at the page, choose one action, do it, look again. A driver such as Playwright does the looking and acting, and a model only chooses.",
  steps: [
    "Install a driver with its own browser, for example Playwright, and open one page from a script.",
    "Give the model a small set of actions (open, snapshot, click, type, read, stop) and the page's accessibility tree.",
    "Limit the steps and the time of a run, and log each action with its reason.",
  ],
  pitfalls: [
    "A model for every click is slow and dear: write the fixed parts as a script and ask the model only where pages differ.",
    "Without a limit an agent that is lost goes in circles: stop after a few steps without progress.",
  ],
};

/** Choosing, building and running an agent. */
export const BUILDING: readonly Topic[] = [
  STARTING,
  {
    terms: ["screenshot", "vision", "visual", "image", "coordinates", "pixel", "see"],
    idea: "Screenshots show what the structure hides, layout and drawings, but cost more and are read less exactly; use them to check and the structure to act.",
    steps: [
      "Fix window size and zoom, and take the screenshot after the page is ready.",
      "Ask for one thing on it, and act through the element that lies there where there is one.",
      "Take a second screenshot and compare.",
    ],
    pitfalls: [
      "Small text and numbers are misread on scaled images: cut out the region, or read the text from the page.",
      "High-resolution screens shift coordinates by their scale factor.",
    ],
  },
  {
    terms: [
      "test",
      "verify",
      "check",
      "assert",
      "qa",
      "regression",
      "evaluate",
      "reliable",
      "success",
      "confirm",
    ],
    idea: "A run has succeeded when the goal can be read off the page or from the system behind it, not when the agent says so.",
    steps: [
      "Write the success condition as a check in code before the first run.",
      "Run it on a test account against known pages, many times, and count successes.",
      "Keep for each failure the trace: actions, snapshots, console and requests.",
    ],
    pitfalls: [
      "An agent reports success because it did its steps: check the result in a fresh page.",
      "One good run proves little: measure the rate over at least twenty.",
    ],
  },
  {
    terms: [
      "error",
      "fail",
      "retry",
      "recover",
      "stuck",
      "loop",
      "crash",
      "debug",
      "exception",
      "broken",
      "not work",
    ],
    idea: "Recovering means going back to a known page and trying once more, and stopping with evidence when that fails, too.",
    steps: [
      "Sort the failure: not found, not allowed, not loaded, or not what was expected.",
      "Go back to the last known page and repeat the step once with a fresh snapshot.",
      "Stop after the second failure and report the page's address, screenshot and last actions.",
    ],
    pitfalls: [
      "Repeating a step that had worked does it twice: check its effect before repeating.",
      "An agent that tries other things on its own leaves the task: allow only the actions of the task.",
    ],
  },
  {
    terms: [
      "schedule",
      "headless",
      "server",
      "deploy",
      "docker",
      "cloud",
      "parallel",
      "scale",
      "cost",
      "tokens",
      "fast",
      "speed",
      "cron",
      "background",
      "production",
    ],
    idea: "In production the browser is a disposable part: a fresh context for each run, a limit on everything, and the model's share kept small.",
    steps: [
      "Start each run in a fresh browser context with a saved session, and close it whatever happens.",
      "Limit parallel browsers by memory, some 300 to 500 MB for each, and requests by site.",
      "Record duration, steps and tokens of each run, and raise an alarm when the success rate falls.",
    ],
    pitfalls: [
      "Whole pages as text use up the context: send the model only the part of the tree that matters.",
      "Headless browsers differ in fonts, locale, time zone and window size: set all four.",
    ],
  },
  {
    terms: [
      "tab",
      "window",
      "navigate",
      "redirect",
      "back",
      "new page",
      "multiple sites",
      "switch",
      "history",
    ],
    idea: "Tabs and redirects change which page the agent is on, so every action names its page and checks the address first.",
    steps: [
      "Note the address that is expected and compare it after each navigation.",
      "Wait for the new page's event when a link opens a tab, and go on in that tab.",
      "Close tabs that are done, so that only the one in use is left.",
    ],
    pitfalls: [
      "An agent goes on in the old tab and reads old content: name the tab in each action.",
      "A redirect to a sign-in page looks like a loaded page: check the address, not only the status.",
    ],
  },
];
