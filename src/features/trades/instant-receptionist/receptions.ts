import { findVertical } from "../matching.ts";
import type { Reception } from "./reception.ts";

const WHEN = ["As soon as possible", "Within a week", "Within a month", "I am flexible"];
const DAYTIME = ["Morning", "Afternoon", "Evening", "Any time"];

/** The trades that have a reception of their own. */
const RECEPTIONS: readonly Reception[] = [
  {
    vertical: "plumbing",
    label: "Plumbing service",
    greeting:
      "Hello! A dripping tap, a blocked drain or a new bathroom: tell us what is going on, and a plumber gets back to you.",
    heading: "Ask for a plumber",
    action: "Request a visit",
    questions: [
      { label: "What do you need?", options: ["Leak", "Blocked drain", "Hot water", "New installation", "Something else"] },
      { label: "Is water running out right now?", options: ["Yes", "It drips", "No"] },
      { label: "Is it a house, a flat or a business?", options: ["House", "Flat", "Business"] },
      { label: "Where is it, and when can we get in?" },
    ],
    notice: "Water running out now? Close the main valve first, then call.",
  },
  {
    vertical: "electrical",
    label: "Electrical service",
    greeting:
      "Hello! From a dead socket to a new panel or a car charger: tell us what you need, and an electrician gets back to you.",
    heading: "Ask for an electrician",
    action: "Request a visit",
    questions: [
      { label: "What do you need?", options: ["Repair", "New installation", "Inspection", "Car charger", "Something else"] },
      { label: "Is there power?", options: ["Yes", "In a part of the building", "None at all"] },
      { label: "How old is the wiring, as far as you know?" },
      { label: "Where is it, and when can we get in?" },
    ],
    notice: "Sparks or a smell of burning? Switch off at the main switch and call the emergency services.",
  },
  {
    vertical: "hvac",
    label: "Heating and cooling service",
    greeting:
      "Hello! Too cold, too warm, or time for a service: tell us about your heating or cooling, and a technician gets back to you.",
    heading: "Ask for a technician",
    action: "Request a visit",
    questions: [
      { label: "What is it about?", options: ["Heating", "Cooling", "Ventilation", "A new system"] },
      { label: "What does it do, or not do?" },
      { label: "What make is it, and how old?" },
      { label: "When should we come?", options: WHEN },
    ],
    notice: "A smell of gas? Leave the building and call the gas emergency line from outside.",
  },
  {
    vertical: "dental",
    label: "Dental practice",
    greeting: "Hello, and welcome! New patient or old friend: tell us what brings you, and we find you a time.",
    heading: "Ask for an appointment",
    action: "Request an appointment",
    questions: [
      { label: "What brings you?", options: ["Check-up or cleaning", "Toothache", "Broken tooth", "Cosmetic treatment", "Something else"] },
      { label: "Are you in pain?", options: ["No", "A little", "A lot"] },
      { label: "Have you been with us before?", options: ["Yes", "No"] },
      { label: "Which time of the day suits you?", options: DAYTIME },
    ],
    notice: "Bleeding that does not stop, or swelling that makes breathing hard? Call the emergency services.",
  },
  {
    vertical: "medical",
    label: "Medical practice",
    greeting: "Hello! Tell us in a few words what you need, and our team finds you the right appointment.",
    heading: "Ask for an appointment",
    action: "Request an appointment",
    questions: [
      { label: "What kind of appointment?", options: ["New concern", "Follow-up", "Prescription", "Check-up", "Something else"] },
      { label: "How soon do you need it?", options: ["Today", "This week", "I am flexible"] },
      { label: "Are you a patient of ours?", options: ["Yes", "No"] },
      { label: "Which time of the day suits you?", options: DAYTIME },
    ],
    notice: "In an emergency do not use this form: call the emergency services.",
  },
  {
    vertical: "legal",
    label: "Law office",
    greeting:
      "Good day. Tell us in broad strokes what your matter is about, and the right lawyer gets back to you.",
    heading: "Ask for a consultation",
    action: "Request a consultation",
    questions: [
      { label: "What is it about?", options: ["Family", "Work", "Property", "Business", "Accident or injury", "Criminal matter", "Something else"] },
      { label: "Is there a date or a deadline?" },
      { label: "Who is on the other side? We check for conflicts." },
      { label: "Do you have a lawyer in this matter?", options: ["No", "Yes"] },
    ],
    notice: "Please send no secrets and no documents here. Writing to us does not yet make us your lawyers.",
  },
  {
    vertical: "salon",
    label: "Hair and beauty salon",
    greeting: "Hi there! Fresh cut, new colour or a little treat: tell us what you have in mind, and we find you a chair.",
    heading: "Ask for an appointment",
    action: "Request an appointment",
    questions: [
      { label: "What would you like?", options: ["Cut", "Colour", "Styling", "Nails", "Treatment", "Something else"] },
      { label: "Would you like somebody in particular?" },
      { label: "Which days suit you?" },
      { label: "Which time of the day?", options: DAYTIME },
    ],
  },
  {
    vertical: "restaurant",
    label: "Restaurant",
    greeting: "Welcome! Tell us when you would like to come and with how many, and we confirm your table.",
    heading: "Ask for a table",
    action: "Request a table",
    questions: [
      { label: "Which day and what time?" },
      { label: "How many are you?", options: ["1", "2", "3", "4", "5", "6", "7 or more"] },
      { label: "What is the occasion?", options: ["Just dinner", "Birthday", "Business", "Private party", "Something else"] },
      { label: "Are there allergies or wishes that we should know of?" },
    ],
  },
  {
    vertical: "auto repair",
    label: "Auto repair shop",
    greeting: "Hello! Strange noise, warning light or just a service: tell us about your car, and we find you a slot.",
    heading: "Ask for a slot",
    action: "Request a slot",
    questions: [
      { label: "Which make, model and year is it?" },
      { label: "What does it need?", options: ["Service", "Repair", "Tyres", "Inspection", "I do not know"] },
      { label: "Can it be driven safely?", options: ["Yes", "I am not sure", "No"] },
      { label: "When could you bring it?" },
    ],
    notice: "Broken down on the road? Get to a safe place first, then call.",
  },
  {
    vertical: "real estate",
    label: "Real estate agency",
    greeting: "Hello! Buying, selling or renting: tell us what you are looking for, and an agent gets back to you.",
    heading: "Talk to an agent",
    action: "Request a call",
    questions: [
      { label: "What would you like to do?", options: ["Buy", "Sell", "Rent", "Let", "Have a property valued"] },
      { label: "Which area, and what kind of property?" },
      { label: "What is your budget, or the price that you have in mind?" },
      { label: "When?", options: WHEN },
    ],
  },
]; // prettier-ignore

const GENERAL: Reception = {
  vertical: "general",
  label: "Reception",
  greeting: "Hello! Tell us how we can help, and the right person gets back to you.",
  heading: "How can we help?",
  action: "Send",
  questions: [
    { label: "What can we help you with?" },
    { label: "How soon?", options: WHEN },
    { label: "Have you been with us before?", options: ["Yes", "No"] },
  ],
};

const BY_VERTICAL = new Map(RECEPTIONS.map((reception) => [reception.vertical, reception]));

/**
 * The reception that fits a trade's name. It is looked up among all trades that are known, so that a tree surgeon is
 * not sent to the doctor: one that has no reception of its own gets the general one, and `matched` is false.
 */
export function receptionFor(trade: string): { readonly reception: Reception; readonly matched: boolean } {
  const found = BY_VERTICAL.get(findVertical(trade)?.name ?? "");
  return { reception: found ?? GENERAL, matched: found !== undefined };
}

/** The reception of a page that was made for this vertical. */
export const receptionOf = (vertical: string): Reception => BY_VERTICAL.get(vertical) ?? GENERAL;
