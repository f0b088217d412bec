// Types that several parts share. They are global, so that a JSDoc comment needs no import.

/** What Streamlit calls a component with. */
interface Mounting {
  data: any;
  parentElement: any;
  setStateValue: Say;
  setTriggerValue: Say;
}
type Say = (name: string, value: unknown) => void;
interface Python { setStateValue: Say; setTriggerValue: Say }
interface MountedPart { update(data: any): void; destroy?(): void }

type Theme = "light" | "dark";
type Colours = Record<string, string>;

/** A payload as `unpack` gives it. */
interface Payload<Header = any, Arrays = any> {
  header: Header & { kind: PayloadKind; id: string; scape: string };
  arrays: Arrays;
}
type PayloadKind = "points" | "regions" | "curve" | "corpus" | "overlay";

interface Control { label: string; help?: string; min?: number; max?: number; step?: number; scale?: string; options?: ControlOption[] }
interface ControlOption { value: string; label: string; help?: string }
interface Group { text: string; x: number; y: number; n: number; level: number }

/** Rows by rising similarity; those from `n` on are core publications that were missed. */
type PointsPayload = Payload<{
  n: number; n_missed: number; n_core: number; topic: string; version: string; embedder?: string; made_up: boolean;
  has_landscape?: boolean; bounds: number[]; sources: string[]; groups: Group[]; group_names: string[];
  core_list: CoreEntry[]; n_core_missed: number; retracted: number[]; texts: Record<string, string>; labels: Record<string, string>;
  kinds: { kind: string; label: string; help: string; space: string }[]; controls: Record<string, Control>;
  colours: Record<Theme, Colours>; ramps: Record<string, Record<Theme, string[]>>; categories: Record<Theme, string[]>;
}, {
  x: Float32Array; y: Float32Array; similarity: Float32Array; year: Int16Array; group: Uint8Array; source: Uint8Array;
  core: Uint8Array; titles: Uint8Array; dois: Uint8Array; core_accepted: Float32Array; semantic_precision: Float32Array;
}>;
interface CoreEntry { id: string; row: number | null; title: string; year: number | null; found: boolean; retracted: boolean; similarity: number | null }
type CurvePayload = Payload<{}, { decay: Float32Array; f_beta: Float32Array }>;
/** Masks are bitsets (`mask_hull`), outlines are places (`outline_hull`). */
type RegionsPayload = Payload<{ undefined?: Record<string, string> }, Record<string, any>>;
type CorpusPayload = Payload<
  { n: number; colours: Record<Theme, Colours> }, { x: Float32Array; y: Float32Array; flags: Uint8Array }
>;
type OverlayPayload = Payload<{
  n_placed: number; labels: string[]; bounds: number[]; topic: string; made_up: boolean; embedder: string;
  colours: Record<Theme, Colours>;
}, Record<"x" | "y", Float32Array> & Record<"members" | "core" | "titles" | "ids", Uint8Array> & { year: Int16Array }>;

/** Tuning as the hand has it. */
interface Live {
  region?: any; cosine_mode?: any; min_similarity?: any; quantile?: any; min_core_share?: any; decay_limit?: any;
  decay_onset?: any; decay_steepness?: any; beta?: any; colour_by?: any;
}

/** What the landscape draws. */
interface Scene {
  camera: import("./shared/camera.js").Camera;
  show: Record<string, boolean>;
  colouring: { how: string; index: Uint8Array; palette: string[] } | null;
  picked: Uint32Array;
  typed: Uint32Array | null;
  focused: number | null;
  hovered: string | null;
  points: PointsPayload;
  regions: RegionsPayload | null;
  curve: CurvePayload | null;
  relevance: import("./landscape/counting.js").Relevance;
  region: string;
  colours: Colours;
  theme: Theme;
}

/** A place of a search string. */
interface Span { start: number; end: number }
/** A node of a search string, with what it brings and costs. */
interface TreeNode extends Span {
  number: number; parent: number | null; depth: number; kind: string; text: string; in_use?: boolean;
  flags?: string[]; untestable?: boolean; [column: string]: any;
}
interface Finding extends Span {
  id: string; rule: string; severity: string; title: string; message: string; fix?: Fix | null; other_fixes?: Fix[];
}
interface Fix { label: string; effect: any }
/** The databases of a platform, and which one is chosen. */
interface DatabaseChoice { chosen: string; options: { id: string; label: string }[] }
/** A node of a chart that is drawn as SVG. */
interface ChartNode { key: string; tag: any; at: Record<string, any>; text?: string; children?: ChartNode[] }
interface Message { kind?: string; text: string }

declare const STYLE: string;
declare var queryscape: { mount(part: Mounting): (() => void) | undefined };
declare var queryscapeReady: (() => void)[] | null;
declare var queryscapeStores: Map<string, any>;
declare var queryscapeWay: { to: string; until: number };
declare var queryscapeDrawn: object;
