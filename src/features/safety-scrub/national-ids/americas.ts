import { isDay } from "../calendar.ts";
import { luhn, weighted } from "../checksums.ts";
import type { NumberScheme } from "../numbers.ts";

const kind = "national_id";

/** Social Security Administration, randomization of 2011: no area 000, 666 or from 900 on, no group 00, no serial 0000. */
const SSN = /^(?!000|666|9)\d{3}(?!00)\d{2}(?!0000)\d{4}$/;

/** Internal Revenue Service, Individual Taxpayer Identification Number: 9 and the groups that are in use. */
const ITIN = /^9\d{2}(?:5\d|6[0-5]|7\d|8[0-8]|9[0-24-9])\d{4}$/;

/** Employment and Social Development Canada: Luhn; 8 is not given to anybody. */
const isSin = (digits: string): boolean => !/^(?:8|000)/.test(digits) && luhn(digits);

/** Receita Federal, Cadastro de Pessoas Físicas: two check digits mod 11; one digit repeated is no number. */
function isCpf(digits: string): boolean {
  if (/^(\d)\1{10}$/.test(digits)) return false;
  const first = (weighted(digits, [10, 9, 8, 7, 6, 5, 4, 3, 2]) * 10) % 11;
  const second = (weighted(digits, [11, 10, 9, 8, 7, 6, 5, 4, 3, 2]) * 10) % 11;
  return first % 10 === Number(digits[9]) && second % 10 === Number(digits[10]);
}

const CURP = /^[A-Z][AEIOUX][A-Z]{2}\d{6}[HMX][A-Z]{2}[B-DF-HJ-NP-TV-Z]{3}[A-Z\d]\d$/;
const CURP_CHARACTERS = "0123456789ABCDEFGHIJKLMNÑOPQRSTUVWXYZ";

/** RENAPO, Clave Única de Registro de Población: weights 18 to 2 over an alphabet with Ñ, mod 10. */
function isCurp(compact: string): boolean {
  if (!CURP.test(compact) || !isDay(Number(compact.slice(6, 8)), Number(compact.slice(8, 10)))) return false;
  let sum = 0;
  for (let place = 0; place < 17; place++)
    sum += (18 - place) * CURP_CHARACTERS.indexOf(compact.charAt(place));
  return (10 - (sum % 10)) % 10 === Number(compact[17]);
}

/** AFIP, CUIL and CUIT: prefixes of persons and companies, mod 11. */
function isCuil(digits: string): boolean {
  if (!/^(?:2[03457]|3[034])/.test(digits)) return false;
  const check = (11 - (weighted(digits, [5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11)) % 11;
  return check === Number(digits[10]);
}

/** Registro Civil de Chile, Rol Único Nacional: weights 2 to 7 from the right, mod 11, ten being K. */
function isRut(compact: string): boolean {
  const sum = weighted(compact.slice(0, -1).padStart(8, "0"), [3, 2, 7, 6, 5, 4, 3, 2]);
  return "0K987654321"[sum % 11] === compact.at(-1);
}

/** Registro Civil del Ecuador: province 01 to 24 or 30, third digit below 6, Luhn. */
const isCedula = (digits: string): boolean => /^(?:0[1-9]|1\d|2[0-4]|30)[0-5]/.test(digits) && luhn(digits);

export const AMERICAS: readonly NumberScheme[] = [
  {
    name: "US social security number",
    kind,
    shapes: ["3-2-4", "3 2 4"],
    valid: (digits) => SSN.test(digits),
  },
  {
    name: "US social security number, labelled",
    kind,
    shapes: ["9", "3.2.4"],
    valid: (digits) => SSN.test(digits),
    labels: ["ssn", "social security number", "social security"],
  },
  {
    name: "US ITIN",
    kind,
    shapes: ["9", "3-2-4"],
    valid: (digits) => ITIN.test(digits),
    labels: ["itin", "taxpayer identification number"],
  },
  { name: "Canadian SIN", kind, shapes: ["3-3-3"], valid: isSin },
  {
    name: "Canadian SIN, labelled",
    kind,
    shapes: ["9", "3 3 3"],
    valid: isSin,
    labels: ["sin", "social insurance number"],
  },
  { name: "Brazilian CPF", kind, shapes: ["11", "3.3.3-2"], valid: isCpf },
  { name: "Mexican CURP", kind, shapes: ["w18"], valid: isCurp },
  { name: "Argentine CUIL", kind, shapes: ["11", "2-8-1"], valid: isCuil },
  { name: "Chilean RUT", kind, shapes: ["2.3.3-1", "2.3.3-w1", "1.3.3-1", "1.3.3-w1"], valid: isRut },
  {
    name: "Chilean RUT, labelled",
    kind,
    shapes: ["8-1", "8-w1", "7-1", "7-w1"],
    valid: isRut,
    labels: ["rut", "run"],
  },
  { name: "Ecuadorian cédula", kind, shapes: ["10", "9-1"], valid: isCedula, labels: ["cédula", "cedula"] },
];
