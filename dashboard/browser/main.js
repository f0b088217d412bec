// The way in. Python mounts the code once, and then each part with a stub of one line that calls `queryscape.mount`.
import { FigureFiles } from "./shared/files.js";
import { Hints } from "./shared/hints.js";
import { Later, sayUnlessLeaving, watchLeaving } from "./shared/messages.js";
import { Place, Sight } from "./shared/part.js";
import { storeNamed, unpack } from "./shared/store.js";
import { styleSheet } from "./shared/theme.js";
import { Landscape } from "./landscape/landscape.js";
import { RecordCard } from "./landscape/record.js";
import { Scores, ScoresBefore } from "./landscape/scores.js";
import { Table } from "./landscape/table.js";
import { OverlayVersions } from "./versions/overlay.js";
import { VersionsStrip } from "./versions/strip.js";
import { VersionsText } from "./versions/wordings.js";
import { Workbench } from "./workbench/workbench.js";
import { WriterBoard } from "./board/board.js";
import { Lab } from "./lab/lab.js";

const PARTS = {
  landscape: Landscape, scores: Scores, table: Table, record: RecordCard, hints: Hints, later: Later, workbench: Workbench,
  figure_files: FigureFiles, versions_text: VersionsText, overlay: OverlayVersions, lab: Lab,
  writer_board: WriterBoard, versions_strip: VersionsStrip, place: Place, sight: Sight, scores_before: ScoresBefore,
};
/** @type {WeakMap<object, any>} The part in an element, or the bytes of a payload. */ const MOUNTED = new WeakMap();

/**
 * Draw or update one part. Streamlit calls this again whenever its data changes, and what it returns when it leaves.
 * @param {Mounting} mounting
 */
function mount({ data, parentElement, setStateValue, setTriggerValue }) {
  if (data instanceof Uint8Array) return receive(data, parentElement);
  if (!data?.part) return undefined;
  let part = MOUNTED.get(parentElement);
  if (!part) {
    const root = document.createElement("div");
    root.className = `queryscape ${data.part}`;
    parentElement.adoptedStyleSheets = [styleSheet()];
    parentElement.appendChild(root);
    const isHere = () => MOUNTED.get(parentElement) === part;
    /** @param {Say} say @returns {Say} */
    const guarded = (say) => (name, value) => sayUnlessLeaving(() => say(name, value), isHere);
    const python = { setStateValue: guarded(setStateValue), setTriggerValue: guarded(setTriggerValue) };
    part = new PARTS[data.part](root, storeNamed(data.scape), python);
    MOUNTED.set(parentElement, part);
  }
  part.update(data);
  return () => {
    MOUNTED.get(parentElement)?.destroy();
    MOUNTED.delete(parentElement);
    parentElement.querySelector?.(".queryscape")?.remove();
  };
}

/** A payload is unpacked once, however often Streamlit shows it again. */
function receive(bytes, parentElement) {
  if (MOUNTED.get(parentElement) === bytes) return undefined;
  MOUNTED.set(parentElement, bytes);
  const payload = unpack(bytes);
  const store = storeNamed(payload.header.scape);
  if (!store.payloads[payload.header.kind].has(payload.header.id)) store.put(payload);
  return undefined;
}

// Once per tab, though this runs with every page.
globalThis.queryscapeWay ??= watchLeaving(document);
globalThis.queryscape = { mount };
globalThis.queryscapeReady?.forEach((late) => late());
globalThis.queryscapeReady = null;

export default mount;
