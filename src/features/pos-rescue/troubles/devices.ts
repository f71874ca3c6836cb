import type { Trouble } from "../trouble.ts";

/** Troubles with what stands on the counter. */
export const DEVICE_TROUBLES: readonly Trouble[] = [
  {
    any: ["printer", "receipt", "printing", "print", "kitchen ticket", "label printer", "paper jam"],
    stopsCards: false,
    diagnosis: "The printer gets no jobs, or cannot print the ones that it gets.",
    check:
      "Does it print its own test page (feed button held while switching on)? If it does, the fault is in the network or in {pos}, else in the printer.",
    plan: [
      "Look for a red light, an open lid, an empty roll, or a roll put in the wrong way round: thermal paper prints on one side only.",
      "Switch the printer off, clear the jam and the cutter, wait ten seconds, switch it on and print its own test page.",
      "Compare the address on the test page with the printer's address in the settings of {pos}; a changed one is the usual cause after a router's restart.",
      "Delete waiting jobs, remove the printer in {pos}, add it again and print a test receipt.",
      "Until it prints, send receipts by mail and call orders out to the kitchen.",
    ],
    cautions: [
      "Do not pull the paper against the closed cutter: its blade breaks.",
      "Sales go on without receipts: do not hold the queue for them.",
    ],
    next: [
      "Reserve the printer's address in the router, so that it stays.",
      "Keep two rolls and a spare cable at the till.",
    ],
  },
  {
    any: ["cash drawer", "drawer", "till drawer", "cash box"],
    stopsCards: false,
    diagnosis:
      "The drawer gets no pulse to open; it hangs on the receipt printer, so the printer's side is the likelier one.",
    check:
      "Does the printer print while the drawer stays shut? Then it is the drawer's cable or setting; if neither works, it is the printer.",
    plan: [
      "Open the drawer with its key, and check that no coin or note blocks the rail.",
      "Reseat the drawer's cable (it looks like a telephone's) in the port marked DK or drawer at the printer.",
      "Press `no sale` in {pos}: the printer clicks if the pulse is sent.",
      "Check in the settings of {pos} that the drawer is set to open with cash sales at this printer.",
    ],
    cautions: [
      "Do not plug the drawer's cable into a telephone or network port: its voltage destroys them.",
      "Count and sign for the cash while the drawer is open by key.",
    ],
    next: [
      "Keep the drawer's key in the safe and not in its lock.",
      "Note the drawer's model: a new cable costs little.",
    ],
  },
  {
    any: [
      "frozen",
      "freeze",
      "froze",
      "freezes",
      "black screen",
      "touchscreen",
      "touch screen",
      "crash",
      "crashes",
      "won't turn on",
      "will not turn on",
      "not responding",
      "slow",
      "lagging",
      "stuck on",
    ],
    stopsCards: false,
    diagnosis: "The till itself hangs: its memory, storage or power is at an end, or its program is.",
    check: "Does another program open on the same device? If it does, it is {pos}; if not, it is the device.",
    plan: [
      "Wait one minute, then close {pos} by force and open it again: open orders come back from the server.",
      "Restart the device; hold its power button for fifteen seconds where the screen stays black.",
      "Try the charger and the socket of a till that works.",
      "Free storage (at least one gigabyte) and close all other programs.",
      "Move to a till that works, sign in there and take the open orders over.",
    ],
    cautions: [
      "Look for queued sales before anything is reinstalled: a reinstalled till has lost them.",
      "Do not press a frozen pay button again: each press may be a charge.",
    ],
    next: [
      "Restart each till before opening, and keep storage half empty.",
      "Tell support the model, the version and what was on the screen.",
    ],
  },
  {
    any: ["scanner", "barcode", "scan", "scale", "scales", "weighing", "customer display"],
    stopsCards: false,
    diagnosis: "A device at the till is connected and its input does not reach {pos}.",
    check:
      "Does the scanner type into a plain text field? If it does, it is {pos} or its catalogue; if not, the cable or pairing.",
    plan: [
      "Reseat the cable or charge the device, and wait for its ready tone.",
      "Scan into a plain text field: the number and a line break should appear.",
      "Read the reset code in the manual of the device, then pair it again.",
      "Search the number in the catalogue of {pos}: a missing item looks like a dead scanner.",
      "Key the items in by name meanwhile, and put the ten best sellers on the first page.",
    ],
    cautions: [
      "A scale that was opened or moved may have lost its calibration: do not sell by weight before it is checked.",
    ],
    next: ["Print the reset code and stick it under the counter."],
  },
];
