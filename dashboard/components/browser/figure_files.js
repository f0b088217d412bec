// The files of a figure: PNG and SVG of the chart beside it, CSV of what it shows. All made here.
import { csvOf } from "./csv.js";
import { make, show } from "./elements.js";
import { fileName, saveFile } from "./files.js";
import { pngOfSvg, svgOfChart } from "./chart_files.js";

/** Three buttons. `target` names the container of the chart; without one there is only the CSV. */
export class FigureFiles {
  constructor(root) {
    this.root = root;
    this.buttons = ["PNG", "SVG", "CSV"].map((kind) => {
      const button = make("button", { class: "quiet", type: "button", "data-file": kind.toLowerCase() }, kind);
      button.addEventListener("click", () => this.#save(kind));
      return button;
    });
    this.said = make("span", { class: "unseen", role: "status" });
    root.append(make("span", { class: "label" }, "Save as"), ...this.buttons, this.said);
  }

  update(document) {
    this.document = document;
    for (const button of this.buttons.slice(0, 2)) show(button, Boolean(document.target));
    for (const button of this.buttons) button.setAttribute("aria-label", `Save ${document.name} as ${button.textContent}`);
  }

  destroy() {}

  async #save(kind) {
    const { name, columns, rows, target, description } = this.document;
    const file = `${fileName(name)}.${kind.toLowerCase()}`;
    if (kind === "CSV") saveFile(csvOf([columns, ...rows]), "text/csv;charset=utf-8", file);
    else {
      const host = this.root.getRootNode().host ?? this.root;
      const chart = host.closest(`.st-key-${CSS.escape(target)}`)?.querySelector(".js-plotly-plot");
      if (!chart) return void (this.said.textContent = "The chart is not drawn yet.");
      const svg = svgOfChart(chart, { title: name, description });
      if (kind === "SVG") saveFile(svg, "image/svg+xml", file);
      else saveFile(await pngOfSvg(svg), "image/png", file);
    }
    this.said.textContent = `Saved ${file}.`;
  }
}
