// A table as a file that spreadsheets open (RFC 4180).

const FORMULA = /^[=+\-@\t\r]/;

/** Rows of cells as CSV: numbers as they are, texts quoted where needed and never read as a formula. */
export function csvOf(rows) {
  return rows.map((cells) => cells.map(csvCell).join(",") + "\r\n").join("");
}

/** One cell. A spreadsheet would run a text that starts like a formula, so an apostrophe goes before it. */
export function csvCell(value) {
  if (value === null || value === undefined) return "";
  if (typeof value === "number") return Number.isFinite(value) ? String(value) : "";
  const text = FORMULA.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
