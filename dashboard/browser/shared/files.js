// Files that the browser saves, and what they are called.

/** A name for a file, of letters, digits and dashes. */
export function fileName(...parts) {
  const plain = parts.filter(Boolean).map((part) => String(part).replace(/[^\p{L}\p{N}]+/gu, "-"));
  return plain.map((part) => part.replace(/^-+|-+$/g, "").toLowerCase()).filter(Boolean).join("_") || "table";
}

/** Hand a file to the browser. */
export function saveFile(content, type, name) {
  const address = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
  const anchor = document.createElement("a");
  anchor.href = address;
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
