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

/** A name for a file, of letters, digits and dashes. */
export function fileName(...parts) {
  const plain = parts.filter(Boolean).map((part) => String(part).replace(/[^\p{L}\p{N}]+/gu, "-"));
  return plain.map((part) => part.replace(/^-+|-+$/g, "").toLowerCase()).filter(Boolean).join("_") || "table";
}

/** Let the browser save a text as a file. The mark at its head tells spreadsheets that it is UTF-8. */
export function saveCsv(text, name) {
  const address = URL.createObjectURL(new Blob(["\ufeff", text], { type: "text/csv;charset=utf-8" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = `${name}.csv`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
