// Tells Python when Streamlit changes to another theme while a page is open: what Python draws, such as figures and tables
// of scores, carries the colours of one theme. Streamlit calls nothing then, but the ground of an element changes.
import { isDark } from "./shared/theme.js";

/** @param {Mounting} mounting */
export default ({ parentElement, setStateValue }) => {
  const ground = document.createElement("div");
  ground.style.cssText = "height: 1px; background-color: var(--st-background-color); transition: background-color 1ms;";
  parentElement.append(ground);
  let dark = isDark(ground);
  ground.addEventListener("transitionend", () => {
    if (isDark(ground) === dark) return;
    dark = !dark;
    setStateValue("theme", dark ? "dark" : "light");
  });
  return () => ground.remove();
};
