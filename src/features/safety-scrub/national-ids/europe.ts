import { hasDdmmyy, hasYymmdd, isDay } from "../calendar.ts";
import { ean13, luhn, mod11And10, weighted } from "../checksums.ts";
import type { NumberScheme } from "../numbers.ts";

const kind = "national_id";

/** HMRC, National Insurance Manual NIM39110: letters that are never used, and prefixes that are never given out. */
const NINO = /^(?!BG|GB|KN|NK|NT|TN|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z]\d{6}[A-D]$/;

/** Bundeszentralamt für Steuern, Steuer-ID: of the first ten digits one occurs two or three times; ISO 7064 MOD 11,10. */
function isGermanTaxId(digits: string): boolean {
  const counts = new Map<string, number>();
  for (const digit of digits.slice(0, 10)) counts.set(digit, (counts.get(digit) ?? 0) + 1);
  const repeated = [...counts.values()].filter((count) => count > 1);
  const once = repeated.length === 1 && (repeated[0] === 2 || repeated[0] === 3);
  return once && digits[0] !== "0" && mod11And10(digits);
}

const DNI_LETTERS = "TRWAGMYFPDXBNJZSQVHLCKE";
const DNI = /^(?:\d{8}|[XYZ]\d{7})[A-Z]$/;

/** Ministerio del Interior, Número de Identificación Fiscal: the remainder by 23 gives the letter; X, Y, Z are 0, 1, 2. */
function isSpanishId(compact: string): boolean {
  if (!DNI.test(compact)) return false;
  const number = compact.slice(0, 8).replace(/^[XYZ]/, (letter) => String("XYZ".indexOf(letter)));
  return DNI_LETTERS[Number(number) % DNI_LETTERS.length] === compact[8];
}

const NIR = /^[123478]\d{2}(?:0[1-9]|1[0-2]|2\d|3\d|4[0-2]|[5-9]\d)(?:\d{2}|2[AB])\d{8}$/;

/** INSEE, Numéro d'inscription au répertoire: key = 97 - number mod 97, Corsica's 2A and 2B counting as 19 and 18. */
function isFrenchNir(compact: string): boolean {
  if (!NIR.test(compact)) return false;
  const number = compact.slice(0, 13).replace("2A", "19").replace("2B", "18");
  return 97 - (Number(number) % 97) === Number(compact.slice(13));
}

const CODICE_FISCALE = /^[A-Z]{6}[\dL-NP-V]{2}[A-EHLMPR-T][\dL-NP-V]{2}[A-Z][\dL-NP-V]{3}[A-Z]$/;
const CODICE_ODD = [
  1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23,
];
const OMOCODIA = "LMNPQRSTUV";

/** Decreto ministeriale 23 dicembre 1976, art. 7 (check letter) and 6 (letters in place of digits). */
function isCodiceFiscale(compact: string): boolean {
  if (!CODICE_FISCALE.test(compact)) return false;
  const day = Number(compact.slice(9, 11).replace(/[L-V]/g, (letter) => String(OMOCODIA.indexOf(letter))));
  if (!isDay(1, day > 40 ? day - 40 : day)) return false;
  let sum = 0;
  for (let place = 0; place < 15; place++) {
    const code = compact.charCodeAt(place);
    const value = code < 65 ? code - 48 : code - 65;
    sum += place % 2 === 0 ? (CODICE_ODD[value] ?? 0) : value;
  }
  return String.fromCharCode(65 + (sum % 26)) === compact[15];
}

/** Rijksdienst voor Identiteitsgegevens: the eleven-test, whose last weight is -1. */
const isBsn = (digits: string): boolean =>
  Number(digits) > 0 && weighted(digits, [9, 8, 7, 6, 5, 4, 3, 2, -1]) % 11 === 0;

/** Rijksregister: 97 - number mod 97; a 2 goes before the number of those born since 2000. */
function isBelgianNumber(digits: string): boolean {
  const month = Number(digits.slice(2, 4)) % 20;
  const number = digits.slice(0, 9);
  const check = Number(digits.slice(9));
  const born = month === 0 || isDay(month, Number(digits.slice(4, 6)) || 1);
  return born && [number, `2${number}`].some((text) => 97 - (Number(text) % 97) === check);
}

/** Ustawa o ewidencji ludności, art. 15: the century is added to the month in steps of 20. */
const isPesel = (digits: string): boolean =>
  isDay(Number(digits.slice(2, 4)) % 20, Number(digits.slice(4, 6))) &&
  weighted(digits, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1]) % 10 === 0;

/** Skatteverket, SKV 704: Luhn over the ten digits; a co-ordination number adds 60 to the day. */
function isSwedishNumber(digits: string): boolean {
  const short = digits.slice(-10);
  const day = Number(short.slice(4, 6));
  return isDay(Number(short.slice(2, 4)), day > 60 ? day - 60 : day) && luhn(short);
}

const HETU = /^\d{6}[A-FU-Y]?\d{3}[\dA-FHJ-NPR-Y]$/;
const HETU_CHECK = "0123456789ABCDEFHJKLMNPRSTUVWXY";

/** Digital and Population Data Services Agency: the nine digits mod 31 give the check character. */
const isHetu = (compact: string): boolean =>
  HETU.test(compact) &&
  hasDdmmyy(compact) &&
  HETU_CHECK[Number(compact.slice(0, 6) + compact.slice(-4, -1)) % HETU_CHECK.length] === compact.at(-1);

/** Skatteetaten: two check digits mod 11; D-numbers add 40 to the day, H-numbers 40 to the month. */
const isFodselsnummer = (digits: string): boolean =>
  isDay(Number(digits.slice(2, 4)) % 40, Number(digits.slice(0, 2)) % 40) &&
  weighted(digits, [3, 7, 6, 1, 8, 9, 4, 5, 2, 1]) % 11 === 0 &&
  weighted(digits, [5, 4, 3, 2, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0;

const SVNR_WEIGHTS = [3, 7, 9, 0, 5, 8, 4, 2, 1, 6];

/** Dachverband der Sozialversicherungsträger: the fourth digit is the weighted sum mod 11. */
const isAustrianNumber = (digits: string): boolean =>
  digits[0] !== "0" && hasDdmmyy(digits, 4) && weighted(digits, SVNR_WEIGHTS) % 11 === Number(digits[3]);

const PPSN = /^\d{7}[A-W][A-ITW]?$/;

/** Department of Social Protection: weights 8 to 2, the second letter counting nine times (T and W, of wives, as nothing). */
function isPpsn(compact: string): boolean {
  if (!PPSN.test(compact)) return false;
  const second = /[A-I]$/.test(compact) && compact.length === 9 ? compact.charCodeAt(8) - 64 : 0;
  const sum = weighted(compact.slice(0, 7), [8, 7, 6, 5, 4, 3, 2]) + 9 * second;
  return "WABCDEFGHIJKLMNOPQRSTUV"[sum % 23] === compact[7];
}

/** Codul numeric personal, legea 105/1996: sex and century, date, county, number, check digit. */
function isCnp(digits: string): boolean {
  const rest = weighted(digits, [2, 7, 9, 1, 4, 6, 3, 5, 8, 2, 7, 9]) % 11;
  return digits[0] !== "0" && hasYymmdd(digits, 1) && (rest === 10 ? 1 : rest) === Number(digits[12]);
}

/** GRAO: months from 20 and 40 on are those of the nineteenth and twenty-first century. */
const isEgn = (digits: string): boolean =>
  isDay(Number(digits.slice(2, 4)) % 20, Number(digits.slice(4, 6))) &&
  (weighted(digits, [2, 4, 8, 5, 10, 9, 7, 3, 6]) % 11) % 10 === Number(digits[9]);

/** Zákon 133/2000 Sb., § 13: ten digits divisible by 11, women's months 50 higher, overflow months 20 higher. */
const isRodneCislo = (digits: string): boolean =>
  isDay((Number(digits.slice(2, 4)) % 50) % 20, Number(digits.slice(4, 6))) && Number(digits) % 11 === 0;

/** EVS 585 and the Lithuanian register: weights from 1, and from 3 where the first sum leaves 10. */
function isBalticCode(digits: string): boolean {
  if (!hasYymmdd(digits, 1) || !/^[1-8]/.test(digits)) return false;
  const first = weighted(digits, [1, 2, 3, 4, 5, 6, 7, 8, 9, 1]) % 11;
  const check = first < 10 ? first : (weighted(digits, [3, 4, 5, 6, 7, 8, 9, 1, 2, 3]) % 11) % 10;
  return check === Number(digits[10]);
}

/** Iedzīvotāju reģistra likums: 1101 less the weighted sum, mod 11; numbers from 32 on carry no date. */
const isLatvianCode = (digits: string): boolean =>
  digits.startsWith("32") ||
  (hasDdmmyy(digits) &&
    ((1101 - weighted(digits, [1, 6, 3, 7, 9, 10, 5, 8, 4, 2])) % 11) % 10 === Number(digits[10]));

/** Nüfus ve Vatandaşlık İşleri: the tenth digit from the odd and even places, the eleventh from all before it. */
function isTurkishId(digits: string): boolean {
  if (digits[0] === "0") return false;
  const odd = weighted(digits, [1, 0, 1, 0, 1, 0, 1, 0, 1]);
  const even = weighted(digits, [0, 1, 0, 1, 0, 1, 0, 1]);
  const tenth = (((odd * 7 - even) % 10) + 10) % 10;
  return tenth === Number(digits[9]) && (odd + even + tenth) % 10 === Number(digits[10]);
}

/** Social Insurance Fund of Russia: the places' numbers as weights, mod 101. */
const isSnils = (digits: string): boolean =>
  (weighted(digits, [9, 8, 7, 6, 5, 4, 3, 2, 1]) % 101) % 100 === Number(digits.slice(9));

/** Portuguese NIF: weights 9 to 2, mod 11. */
function isNif(digits: string): boolean {
  const rest = 11 - (weighted(digits, [9, 8, 7, 6, 5, 4, 3, 2]) % 11);
  return (rest > 9 ? 0 : rest) === Number(digits[8]);
}

/** NHS Data Dictionary, NHS number: weights 10 to 2, mod 11, 10 being invalid. */
function isNhsNumber(digits: string): boolean {
  const rest = 11 - (weighted(digits, [10, 9, 8, 7, 6, 5, 4, 3, 2]) % 11);
  return rest % 11 === Number(digits[9]);
}

/** Þjóðskrá: the ninth digit makes the weighted sum divisible by 11, the tenth is the century. */
const isKennitala = (digits: string): boolean =>
  hasDdmmyy(digits) && weighted(digits, [3, 2, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0;

export const EUROPE: readonly NumberScheme[] = [
  {
    name: "UK National Insurance number",
    kind,
    shapes: ["w9", "w2 2 2 2 w1", "w2 6 w1"],
    valid: (id) => NINO.test(id),
  },
  {
    name: "UK NHS number",
    kind,
    shapes: ["10", "3 3 4", "3-3-4"],
    valid: isNhsNumber,
    labels: ["nhs", "nhs number"],
  },
  { name: "German tax ID", kind, shapes: ["11", "2 3 3 3"], valid: isGermanTaxId },
  {
    name: "Spanish DNI and NIE",
    kind,
    shapes: ["w9", "8-w1", "8 w1", "2.3.3-w1", "w1-w8", "w1-7-w1", "w8-w1"],
    valid: isSpanishId,
  },
  {
    name: "French NIR",
    kind,
    shapes: ["15", "13 2", "1 2 2 2 3 3 2", "w15", "w13 2", "1 2 2 w2 3 3 2"],
    valid: isFrenchNir,
  },
  { name: "Italian codice fiscale", kind, shapes: ["w16", "w3 w3 w5 w5"], valid: isCodiceFiscale },
  { name: "Dutch BSN", kind, shapes: ["4.2.3"], valid: isBsn },
  {
    name: "Dutch BSN, labelled",
    kind,
    shapes: ["9"],
    valid: isBsn,
    labels: ["bsn", "burgerservicenummer", "sofinummer"],
  },
  {
    name: "Belgian national number",
    kind,
    shapes: ["11", "2.2.2-3.2", "2.2.2 3.2", "2 2 2 3 2", "6-3-2", "6 3 2"],
    valid: isBelgianNumber,
  },
  { name: "Polish PESEL", kind, shapes: ["11"], valid: isPesel },
  { name: "Swedish personnummer", kind, shapes: ["6-4", "6+4", "8-4"], valid: isSwedishNumber },
  {
    name: "Swedish personnummer, labelled",
    kind,
    shapes: ["10", "12"],
    valid: isSwedishNumber,
    labels: ["personnummer", "personal identity number"],
  },
  { name: "Finnish HETU", kind, shapes: ["w11", "6-4", "6+4", "6-w4", "6+w4"], valid: isHetu },
  { name: "Norwegian fødselsnummer", kind, shapes: ["11", "6 5"], valid: isFodselsnummer },
  { name: "Danish CPR number", kind, shapes: ["6-4"], valid: (digits) => hasDdmmyy(digits) },
  { name: "Icelandic kennitala", kind, shapes: ["6-4", "6 4"], valid: isKennitala },
  {
    name: "Swiss AHV number",
    kind,
    shapes: ["13", "3.4.4.2"],
    valid: (digits) => digits.startsWith("756") && ean13(digits),
  },
  { name: "Austrian social security number", kind, shapes: ["4 6", "4-6"], valid: isAustrianNumber },
  {
    name: "Austrian social security number, labelled",
    kind,
    shapes: ["10"],
    valid: isAustrianNumber,
    labels: ["svnr", "sozialversicherungsnummer"],
  },
  { name: "Irish PPSN", kind, shapes: ["w8", "w9"], valid: isPpsn },
  { name: "Romanian CNP", kind, shapes: ["13"], valid: isCnp },
  { name: "Bulgarian EGN", kind, shapes: ["10"], valid: isEgn, labels: ["egn", "егн"] },
  { name: "Czech and Slovak rodné číslo", kind, shapes: ["6/4"], valid: isRodneCislo },
  { name: "Estonian and Lithuanian personal code", kind, shapes: ["11"], valid: isBalticCode },
  { name: "Latvian personal code", kind, shapes: ["6-5"], valid: isLatvianCode },
  { name: "Croatian OIB", kind, shapes: ["11"], valid: mod11And10, labels: ["oib"] },
  { name: "Greek AMKA", kind, shapes: ["11"], valid: (digits) => hasDdmmyy(digits) && luhn(digits) },
  { name: "Turkish identity number", kind, shapes: ["11"], valid: isTurkishId },
  { name: "Russian SNILS", kind, shapes: ["3-3-3 2", "3-3-3-2"], valid: isSnils },
  { name: "Russian SNILS, labelled", kind, shapes: ["11"], valid: isSnils, labels: ["snils", "снилс"] },
  { name: "Portuguese NIF", kind, shapes: ["9", "3 3 3"], valid: isNif, labels: ["nif", "contribuinte"] },
];
