// A table of any length: only the rows in sight are in the page, and they are patched, not rebuilt.
import { attribute, hit, make, oncePerFrame, show, write } from "../shared/elements.js";

const ROW_HEIGHT = 32;
const HEAD_HEIGHT = 32;
const BEYOND = 4; // rows drawn above and below what is in sight

/**
 * A grid with a fixed height and a head that sorts. Its columns: { key, label, short, help, size, sortable,
 * start(cell), fill(cell, row) }, where `start` builds what a cell holds and `fill` patches it. Calls `onOpen(row)`,
 * `onMark(row)` and `onSort(key)`, and `dress(line, row)` for each line that shows another row.
 */
export class Grid {
  constructor(label, { onOpen, onMark, onSort, dress }) {
    this.onOpen = onOpen;
    this.onMark = onMark;
    this.onSort = onSort;
    this.dress = dress;
    this.view = new Uint32Array(0);
    /** @type {any[]} */ this.columns = [];
    /** @type {any[]} */ this.pool = [];
    this.active = 0;
    this.version = 0;
    this.head = make("div", { class: "grid-head", role: "row", "aria-rowindex": 1 });
    this.space = make("div", { class: "grid-space", role: "presentation" });
    this.element = make("div", { class: "grid", role: "grid", tabindex: 0, "aria-label": label });
    this.element.append(this.head, this.space);
    attribute(this.element, "aria-multiselectable", "true");
    this.frame = oncePerFrame(() => this.paint());
    this.element.addEventListener("scroll", () => this.frame.ask(), { passive: true });
    this.element.addEventListener("keydown", (event) => this.key(event));
    this.element.addEventListener("click", (event) => this.click(event));
    this.observer = new ResizeObserver(() => this.frame.ask());
    this.observer.observe(this.element);
  }

  destroy() {
    this.observer.disconnect();
    this.frame.stop();
  }

  /** Take over other columns; nothing is rebuilt if they are the same by key and label. */
  setColumns(columns) {
    const same = columns.map((c) => `${c.key}|${c.label}|${c.help}`).join("\n");
    this.columns = columns;
    if (same === this.shape) return;
    this.shape = same;
    this.element.style.setProperty("--columns", columns.map((c) => `var(--w-${c.size})`).join(" "));
    attribute(this.element, "aria-colcount", columns.length);
    this.head.replaceChildren(...columns.map((column, at) => this.headCell(column, at)));
    for (const line of this.pool.splice(0)) line.element.remove();
  }

  headCell(column, at) {
    const cell = make("div", { class: `cell ${column.size}`, role: "columnheader", "aria-colindex": at + 1 });
    if (column.help) cell.title = column.help;
    if (!column.sortable) {
      cell.append(make("span", { class: "unseen" }, column.label));
      return cell;
    }
    const button = make("button", { type: "button", class: "sort" }, make("span", {}, column.short ?? column.label));
    if (column.short) attribute(button, "aria-label", column.label);
    button.addEventListener("click", () => this.onSort(column.key));
    cell.append(button);
    return cell;
  }

  /** Say which column sorts, and which way. */
  setSort(key, descending) {
    this.columns.forEach((column, at) => {
      const direction = descending ? "descending" : "ascending";
      attribute(this.head.children[at], "aria-sort", column.key === key ? direction : column.sortable ? "none" : null);
    });
  }

  /** Show these rows, in this order. The row under the keyboard stays if it is still there. */
  setView(view) {
    const row = this.view[this.active];
    this.view = view;
    this.active = Math.max(0, row === undefined ? 0 : view.indexOf(row));
    this.space.style.height = `${view.length * ROW_HEIGHT}px`;
    attribute(this.element, "aria-rowcount", view.length + 1);
    this.refresh();
  }

  /** What rows look like has changed: patch those in sight before the next picture. */
  refresh() {
    this.version++;
    this.frame.ask();
  }

  /** Draw now what is in sight. */
  paint() {
    const height = this.element.clientHeight - HEAD_HEIGHT;
    const above = Math.floor(this.element.scrollTop / ROW_HEIGHT) - BEYOND;
    const inSight = Math.ceil(Math.max(height, 0) / ROW_HEIGHT) + 2 * BEYOND + 1;
    while (this.pool.length < inSight) this.pool.push(this.line(this.pool.length));
    const first = Math.max(0, above);
    const used = new Set();
    for (let index = first; index < Math.min(this.view.length, first + inSight); index++) {
      const slot = index % this.pool.length;
      used.add(slot);
      this.patch(this.pool[slot], index);
    }
    this.pool.forEach((line, slot) => show(line.element, used.has(slot)));
    const line = this.pool[this.active % this.pool.length];
    const seen = line && line.index === this.active && !line.element.hidden;
    attribute(this.element, "aria-activedescendant", seen ? line.element.id : null);
  }

  line(slot) {
    const cells = this.columns.map((column, at) => {
      const cell = make("div", { class: `cell ${column.size}`, role: "gridcell", "aria-colindex": at + 1 });
      column.start?.(cell);
      return cell;
    });
    const element = make("div", { class: "line", role: "row", id: `line-${slot}` }, ...cells);
    this.space.append(element);
    return { element, cells, index: -1, row: -1, version: -1 };
  }

  patch(line, index) {
    const row = this.view[index];
    line.element.classList.toggle("active", index === this.active);
    if (line.index !== index) {
      line.index = index;
      line.element.style.transform = `translateY(${index * ROW_HEIGHT}px)`;
      attribute(line.element, "aria-rowindex", index + 2);
    }
    if (line.row === row && line.version === this.version) return;
    line.row = row;
    line.version = this.version;
    this.dress(line.element, row);
    this.columns.forEach((column, at) => column.fill(line.cells[at], row));
  }

  /** Bring a row into sight; false if it isn't shown at all. */
  reveal(row) {
    const index = this.view.indexOf(row);
    if (index < 0) return false;
    this.move(index);
    return true;
  }

  move(index) {
    this.active = Math.min(Math.max(index, 0), Math.max(this.view.length - 1, 0));
    const top = this.active * ROW_HEIGHT;
    const height = this.element.clientHeight - HEAD_HEIGHT;
    const { scrollTop } = this.element;
    if (top < scrollTop) this.element.scrollTop = top;
    else if (top + ROW_HEIGHT > scrollTop + height) this.element.scrollTop = top + ROW_HEIGHT - height;
    this.frame.ask();
  }

  key(event) {
    if (event.target !== this.element || event.altKey || event.metaKey) return;
    const page = Math.max(1, Math.floor((this.element.clientHeight - HEAD_HEIGHT) / ROW_HEIGHT) - 1);
    const last = this.view.length - 1;
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -last, End: last };
    const row = this.view[this.active];
    if (event.key in steps) this.move(this.active + steps[event.key]);
    else if (event.key === "Enter" && row !== undefined) this.onOpen(row);
    else if (event.key === " " && row !== undefined) this.onMark(row);
    else return;
    event.preventDefault();
  }

  click(event) {
    const element = hit(event, ".line");
    const line = this.pool.find((candidate) => candidate.element === element);
    if (!line || hit(event, "a")) return;
    this.active = line.index;
    this.frame.ask();
    if (hit(event, ".pick")) this.onMark(line.row);
    else this.onOpen(line.row);
  }
}

/** Patch a cell that holds nothing but text. */
export function fillText(cell, text, title = /** @type {string | null} */ (null)) {
  write(cell, text);
  attribute(cell, "title", title);
}
