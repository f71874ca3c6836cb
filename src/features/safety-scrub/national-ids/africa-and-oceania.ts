import { hasYymmdd } from "../calendar.ts";
import { luhn, weighted } from "../checksums.ts";
import type { NumberScheme } from "../numbers.ts";

const kind = "national_id";

/** Identification Act 68 of 1997 of South Africa: date, order, citizenship 0 to 2, and Luhn over all. */
const isSouthAfricanId = (digits: string): boolean =>
  hasYymmdd(digits) && /^[012]$/.test(digits.charAt(10)) && luhn(digits);

/** Egypt's national number: century 2 or 3, date, governorate 01 to 35 or 88. */
const isEgyptianId = (digits: string): boolean =>
  /^[23]/.test(digits) &&
  hasYymmdd(digits, 1) &&
  /^(?:0[1-4]|1[1-9]|2[1-9]|3[1-5]|88)$/.test(digits.slice(7, 9));

/** Australian Taxation Office, tax file number: weights 1, 4, 3, 7, 5, 8, 6, 9, 10, mod 11. */
const isTfn = (digits: string): boolean => weighted(digits, [1, 4, 3, 7, 5, 8, 6, 9, 10]) % 11 === 0;

/** Services Australia, Medicare: the ninth digit is the weighted sum mod 10; the first is 2 to 6. */
const isMedicare = (digits: string): boolean =>
  /^[2-6]/.test(digits) && weighted(digits, [1, 3, 7, 9, 1, 3, 7, 9]) % 10 === Number(digits[8]);

export const AFRICA_AND_OCEANIA: readonly NumberScheme[] = [
  { name: "South African ID", kind, shapes: ["13", "6 4 3", "6 4 2 1"], valid: isSouthAfricanId },
  {
    name: "Egyptian national number",
    kind,
    shapes: ["14"],
    valid: isEgyptianId,
    labels: ["national id", "national number", "الرقم القومي"],
  },
  {
    name: "Australian TFN",
    kind,
    shapes: ["9", "3 3 3", "3-3-3"],
    valid: isTfn,
    labels: ["tfn", "tax file number"],
  },
  {
    name: "Australian Medicare number",
    kind,
    shapes: ["10", "4 5 1", "4-5-1"],
    valid: isMedicare,
    labels: ["medicare", "medicare number", "medicare card"],
  },
];
