// The style of every part. The build puts it in the place of STYLE.
/* global STYLE */

let sheet = null;

/** One constructed sheet that all shadow roots share. */
export function styleSheet() {
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLE);
  }
  return sheet;
}
