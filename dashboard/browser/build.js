// Builds dist/, which Python sends to browsers. With --check it writes nothing and fails if dist/ is not up to date.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";

const HERE = import.meta.dirname;

/** Return one entry with all it imports, minified. Names are kept and lines are short, so that dist/ changes little. */
async function bundle(entry, define = {}) {
  const result = await build({
    absWorkingDir: HERE, entryPoints: [entry], define, write: false, bundle: true, format: "esm", minifySyntax: true,
    minifyWhitespace: true, lineLimit: 120, charset: "utf8", legalComments: "none", logLevel: "warning",
  });
  return result.outputFiles[0].text;
}

/** Return an entry that carries the style of its parts: they share one constructed sheet. */
async function bundleWithStyle(name) {
  return bundle(`${name}.js`, { STYLE: JSON.stringify(await bundle(`${name}.css`)) });
}

const files = {
  "main.js": await bundleWithStyle("main"), "report.js": await bundleWithStyle("report"), "stub.js": await bundle("stub.js"),
  "follow_theme.js": await bundle("follow_theme.js"), "navigation.js": await bundleWithStyle("navigation"),
  "visitors.js": await bundle("visitors.js"),
};
const isCheck = process.argv.includes("--check");
if (!isCheck) mkdirSync(join(HERE, "dist"), { recursive: true });
for (const [name, text] of Object.entries(files)) {
  const path = join(HERE, "dist", name);
  if (!isCheck) writeFileSync(path, text);
  else if (readFileSync(path, "utf8") !== text) {
    console.error(`dashboard/browser/dist/${name} is not up to date. Run "npm run build" in dashboard/browser and commit it.`);
    process.exitCode = 1;
  }
}
