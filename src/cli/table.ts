type Cell = string | number | null;

/** A plain table for a terminal: numbers to the right, nothing as a dash. */
export function table(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const text = (cell: Cell): string => (cell === null ? "-" : String(cell));
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => text(row[column] ?? null).length)),
  );
  const line = (cells: readonly Cell[]): string =>
    cells
      .map((cell, column) => {
        const width = widths[column] ?? 0;
        return typeof cell === "number" || cell === null ? text(cell).padStart(width) : cell.padEnd(width);
      })
      .join("  ")
      .trimEnd();
  return [line(head), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)].join("\n");
}
