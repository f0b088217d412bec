// The parts of many visitors, on every page: the name that the browser keeps, and changes by others.
import { BrowserMemory } from "./shared/browser_memory.js";
import { Changes } from "./shared/changes.js";
import { sayUnlessLeaving, watchLeaving } from "./shared/messages.js";

const PARTS = { browser_memory: BrowserMemory, changes: Changes };
/** @type {WeakMap<object, any>} */ const MOUNTED = new WeakMap();

/** @param {Mounting} mounting */
export default ({ data, parentElement, setStateValue, setTriggerValue }) => {
  globalThis.queryscapeWay ??= watchLeaving(document);
  let part = MOUNTED.get(parentElement);
  if (!part) {
    const root = parentElement.appendChild(document.createElement("div"));
    const isHere = () => MOUNTED.get(parentElement) === part;
    /** @param {Say} say @returns {Say} */
    const guarded = (say) => (name, value) => sayUnlessLeaving(() => say(name, value), isHere);
    part = new PARTS[data.part](root, null, { setStateValue: guarded(setStateValue), setTriggerValue: guarded(setTriggerValue) });
    MOUNTED.set(parentElement, part);
  }
  part.update(data);
  return () => {
    MOUNTED.get(parentElement)?.destroy();
    MOUNTED.delete(parentElement);
    parentElement.replaceChildren();
  };
};
