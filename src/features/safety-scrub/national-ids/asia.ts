import { hasYymmdd, hasYyyymmdd, isDay } from "../calendar.ts";
import { luhn, verhoeff, weighted } from "../checksums.ts";
import type { NumberScheme } from "../numbers.ts";

const kind = "national_id";

/** UIDAI, Aadhaar: twelve digits, the first from 2 on, Verhoeff. */
const isAadhaar = (digits: string): boolean => /^[2-9]/.test(digits) && verhoeff(digits);

/** Income Tax Department of India, Permanent Account Number: the fourth letter is the holder's status. */
const PAN = /^[A-Z]{3}[ABCFGHJLPT][A-Z]\d{4}[A-Z]$/;

const RESIDENT_ID = /^[1-8]\d{16}[\dX]$/;
const RESIDENT_WEIGHTS = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2];

/** GB 11643-1999: region, date of birth, order, and the check of ISO 7064 MOD 11-2, ten being X. */
const isResidentId = (compact: string): boolean =>
  RESIDENT_ID.test(compact) &&
  hasYyyymmdd(compact, 6) &&
  "10X98765432"[weighted(compact.slice(0, 17), RESIDENT_WEIGHTS) % 11] === compact[17];

/** Resident Registration Act of Korea: date, then sex and century; the check digit ended in 2020 and is not asked for. */
const isKoreanNumber = (digits: string): boolean => hasYymmdd(digits) && /^[1-8]$/.test(digits.charAt(6));

/** Japan's My Number, ordinance 85 of 2014: weights 2 to 7 from the right, twice, mod 11. */
function isMyNumber(digits: string): boolean {
  const rest = weighted(digits, [6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11;
  return (rest <= 1 ? 0 : 11 - rest) === Number(digits[11]);
}

const NRIC = /^[STFGM]\d{7}[A-Z]$/;

/** Immigration and Checkpoints Authority of Singapore: a series' own letters by the weighted sum mod 11. */
function isNric(compact: string): boolean {
  if (!NRIC.test(compact)) return false;
  const series = compact.charAt(0);
  const offset = series === "T" || series === "G" ? 4 : series === "M" ? 3 : 0;
  const rest = (weighted(compact.slice(1, 8), [2, 7, 6, 5, 4, 3, 2]) + offset) % 11;
  if (series === "M") return "XWUTRQPNJLK"[10 - rest] === compact[8];
  return ("ST".includes(series) ? "JZIHGFEDCBA" : "XWUTRQPNMLK")[rest] === compact[8];
}

const TAIWANESE_ID = /^[A-Z][1289]\d{8}$/;
const TAIWANESE_LETTERS = "ABCDEFGHJKLMNPQRSTUVXYWZIO";

/** Ministry of the Interior of Taiwan: the letter counts as two digits from 10 on, weights 1, 9 to 1, 1, mod 10. */
function isTaiwaneseId(compact: string): boolean {
  if (!TAIWANESE_ID.test(compact)) return false;
  const letter = String(TAIWANESE_LETTERS.indexOf(compact.charAt(0)) + 10);
  return weighted(letter + compact.slice(1), [1, 9, 8, 7, 6, 5, 4, 3, 2, 1, 1]) % 10 === 0;
}

/** Department of Provincial Administration of Thailand: weights 13 to 2, mod 11. */
const isThaiId = (digits: string): boolean =>
  digits[0] !== "0" &&
  (11 - (weighted(digits, [13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2]) % 11)) % 10 === Number(digits[12]);

/** National Registration Regulations of Malaysia: date, then the code of a place of birth. */
const isMyKad = (digits: string): boolean =>
  hasYymmdd(digits) && !/^(?:00|17|18|19|20|69|70|73|80|81|94|95|96|97)$/.test(digits.slice(6, 8));

/** Federal Authority for Identity of the UAE: 784, year of birth, number, Luhn. */
const isEmiratesId = (digits: string): boolean => /^784(?:19|20)/.test(digits) && luhn(digits);

/** NADRA of Pakistan: the first digit is a province, the last tells the sex. */
const CNIC = /^[1-7]\d{11}[1-9]$/;

/** Law on civil administration of Indonesia: region, date (women's days 40 higher), order. */
const isNik = (digits: string): boolean => {
  const day = Number(digits.slice(6, 8));
  return /^[1-9]/.test(digits) && isDay(Number(digits.slice(8, 10)), day > 40 ? day - 40 : day);
};

export const ASIA: readonly NumberScheme[] = [
  { name: "Indian Aadhaar", kind, shapes: ["12", "4 4 4", "4-4-4"], valid: isAadhaar },
  { name: "Indian PAN", kind, shapes: ["w10"], valid: (compact) => PAN.test(compact) },
  { name: "Chinese resident ID", kind, shapes: ["18", "w18", "6 8 4", "6 8 w4"], valid: isResidentId },
  { name: "Korean resident registration number", kind, shapes: ["6-7"], valid: isKoreanNumber },
  {
    name: "Japanese My Number",
    kind,
    shapes: ["12", "4 4 4", "4-4-4"],
    valid: isMyNumber,
    labels: ["my number", "mynumber", "individual number", "マイナンバー", "個人番号"],
  },
  { name: "Singaporean NRIC and FIN", kind, shapes: ["w9"], valid: isNric },
  { name: "Taiwanese national ID", kind, shapes: ["w10"], valid: isTaiwaneseId },
  { name: "Thai national ID", kind, shapes: ["1-4-5-2-1", "1 4 5 2 1"], valid: isThaiId },
  {
    name: "Thai national ID, labelled",
    kind,
    shapes: ["13"],
    valid: isThaiId,
    labels: ["thai id", "thai national id"],
  },
  { name: "Malaysian MyKad", kind, shapes: ["6-2-4"], valid: isMyKad },
  { name: "Emirates ID", kind, shapes: ["15", "3-4-7-1"], valid: isEmiratesId },
  { name: "Pakistani CNIC", kind, shapes: ["5-7-1"], valid: (digits) => CNIC.test(digits) },
  { name: "Indonesian NIK", kind, shapes: ["16"], valid: isNik, labels: ["nik", "ktp"] },
  {
    name: "Israeli identity number",
    kind,
    shapes: ["9", "8-1"],
    valid: luhn,
    labels: ["teudat zehut", "israeli id", "ת.ז", "ת״ז"],
  },
];
