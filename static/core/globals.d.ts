// What the browser has and TypeScript does not know yet, and what static/theme.js leaves for the modules.

interface Window {
  theme: { choice(): "light" | "dark" | "system"; choose(theme: "light" | "dark" | "system"): void };
}

interface JSON {
  /** JSON.parse with source text access and JSON.rawJSON (ECMAScript 2026). */
  parse(text: string, reviver: (this: any, key: string, value: any, context: { source: string }) => any): any;
  rawJSON(text: string): unknown;
}
