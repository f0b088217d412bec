// Light or dark, the colours of the roles, and the style sheet.

/** Whether Streamlit shows its dark theme: told by the background it gives to whatever it mounts. */
export function isDark(element) {
  const background = getComputedStyle(element).getPropertyValue("--st-background-color").trim();
  const [r, g, b] = channels(background || "#ffffff");
  return 0.2126 * r + 0.7152 * g + 0.0722 * b < 128;
}

/** Colours by role for the theme that is on, or null before any data came. */
export function roleColours(store, element) {
  const header = store.points?.header ?? store.corpus?.header;
  return header?.colours ? header.colours[isDark(element) ? "dark" : "light"] : null;
}

/** Red, green and blue of "#rrggbb", "#rgb" or "rgb(...)", 0 to 255. */
export function channels(colour) {
  if (colour.startsWith("#")) {
    const hex = colour.length === 4 ? [...colour.slice(1)].map((c) => c + c).join("") : colour.slice(1);
    return [0, 2, 4].map((at) => parseInt(hex.slice(at, at + 2), 16));
  }
  return (colour.match(/[\d.]+/g) ?? [255, 255, 255]).slice(0, 3).map(Number);
}

const ROLES = ["accent", "relevant", "core", "core_edge", "not_relevant", "warning", "selection", "faint", "grid"];

/** Give a part the colours of the roles, as --role-... of its root. */
export function wearColours(root, store) {
  const colours = roleColours(store, root);
  if (!colours) return;
  for (const role of ROLES) {
    if (colours[role]) root.style.setProperty(`--role-${role.replace("_", "-")}`, colours[role]);
  }
}

/** "#rrggbb" as one pixel of an image. */
export function pixelOf(colour) {
  const [r, g, b] = channels(colour);
  return (0xff000000 | (b << 16) | (g << 8) | r) >>> 0;
}

// The build puts the style of every part in the place of STYLE.

/** @type {CSSStyleSheet | undefined} */ let sheet;

/** One constructed sheet that all shadow roots share. */
export function styleSheet() {
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLE);
  }
  return sheet;
}
