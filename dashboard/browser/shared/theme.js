// Light or dark, and the colours of the roles in it. Python's figures/theme.py says what they are.

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
