import js from "@eslint/js";

export default [
  { ignores: ["dist/"] },
  js.configs.recommended,
  { rules: { "no-undef": "off", "no-unused-vars": ["error", { ignoreRestSiblings: true }] } }, // tsc finds undefined names
];
