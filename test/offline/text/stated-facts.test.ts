import { expect, it } from "vitest";
import { statedFacts } from "../../../src/offline/text/stated-facts.ts";

it.each([
  ["My name is Ada.", ["My name is Ada."]],
  ["please remember that the harbour opens at 6:30", ["The harbour opens at 6:30."]],
  ["Remember: the meeting is on Monday", ["The meeting is on Monday."]],
  ["Don't forget that tea is at five!", ["Tea is at five!"]],
  ["I prefer green tea. I'm allergic to nuts.", ["I prefer green tea.", "I'm allergic to nuts."]],
  ["My name is Grace, what is 2 + 2?", ["My name is Grace."]],
  ["Our office closes at five; what time is it?", ["Our office closes at five."]],
  ["We use PostgreSQL and Redis", ["We use PostgreSQL and Redis."]],
  ["Call me Ishmael", ["Call me Ishmael."]],
  ["I like tea. I like tea.", ["I like tea."]],
])("reads in %j the facts %j", (text, facts) => {
  expect(statedFacts(text)).toEqual(facts);
});

it.each([
  "What is my name?",
  "Remember me?",
  "Do I like tea?",
  "I am wondering what to do",
  "I have a question about tax.",
  "The sky is blue.",
  "Note that my password is hunter2.",
  "My API key is 12345.",
  "remember",
  `I like ${"very ".repeat(100)}long facts.`,
  "",
])("reads no fact in %j", (text) => {
  expect(statedFacts(text)).toEqual([]);
});
