// The style of every part. The bundle defines STYLE from the .css files beside this one.
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
