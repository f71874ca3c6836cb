import { lineItems } from "./line-items.ts";
import { listItems, splitSentences } from "./sentences.ts";

const RECORDS_LIMIT = 200;

/**
 * The ways in which a text can be taken apart into records of one kind, the surest first: rows of a table (Markdown,
 * comma- or tab-separated, with a header), lines of an order where a key asks for what these have, blocks between empty
 * lines, items of a list, lines, sentences, clauses.
 */
export function recordDivisions(text: string, keys: readonly string[] = []): string[][] {
  const ordered = keys.some((key) => ORDER_KEY.test(key)) ? lineItems(text) : [];
  const blocks = text.split(/\n\s*\n/).filter((block) => /[:=]/.test(block));
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const sentences = splitSentences(text);
  const clauses = sentences.flatMap((sentence) => sentence.split(CLAUSE_END));
  return [tableRecords(text), ordered, blocks, listItems(text), lines, sentences, clauses]
    .filter((records) => records.length > 0)
    .map((records) => records.slice(0, RECORDS_LIMIT));
}

const ORDER_KEY = /quantity|qty|count|units|price|cost|amount/i;
const CLAUSE_END = /,? and |[;,] /;

/** The rows of a text's table as labelled fields, a line for each cell: `header: cell`. */
export function tableRecords(text: string): string[] {
  const lines = text.split("\n").map((line) => line.trim());
  for (const separator of ["|", "\t", ",", ";"]) {
    const start = lines.findIndex((line, at) => isHeader(line, lines[at + 1] ?? "", separator));
    if (start === -1) continue;
    const header = cells(lines[start] ?? "", separator);
    const end = lines.findIndex((line, at) => at > start && cells(line, separator).length !== header.length);
    return lines
      .slice(start + 1, end === -1 ? undefined : end)
      .map((line) => cells(line, separator))
      .filter((row) => row.some((cell) => /[\p{L}\p{N}]/u.test(cell)))
      .map((row) => row.map((cell, at) => `${header[at]}: ${cell}`).join("\n"));
  }
  return [];
}

/** Two columns with a comma could be any sentence. */
const COLUMNS_WITH_COMMAS = 3;
const HEADER_CELL = /^[\p{L}][\p{L}\p{N} _#/.()-]{0,30}$/u;

function isHeader(line: string, next: string, separator: string): boolean {
  const header = cells(line, separator);
  const least = separator === "," || separator === ";" ? COLUMNS_WITH_COMMAS : 2;
  return (
    header.length >= least &&
    header.every((cell) => HEADER_CELL.test(cell)) &&
    cells(next, separator).length === header.length
  );
}

function cells(line: string, separator: string): string[] {
  const inner = separator === "|" ? line.replace(/^\||\|$/g, "") : line;
  // Quoted cells (RFC 4180) may hold the separator.
  const parts = inner.includes('"') ? quotedCells(inner, separator) : inner.split(separator);
  return parts.map((cell) => cell.trim());
}

function quotedCells(line: string, separator: string): string[] {
  const result = [""];
  let quoted = false;
  for (const char of line) {
    if (char === '"') quoted = !quoted;
    else if (char === separator && !quoted) result.push("");
    else result[result.length - 1] += char;
  }
  return result;
}
