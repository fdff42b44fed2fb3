// Sets the theme before the first paint, and again when it is chosen or the system's changes. A classic script, since modules run
// after the first paint. The choice is kept by the browser: "light", "dark", or nothing for the system's.
(() => {
  const KEY = "theme";
  const system = matchMedia("(prefers-color-scheme: dark)");

  /** @returns {"light" | "dark" | "system"} */
  const choice = () => {
    const kept = localStorage.getItem(KEY);
    return kept === "light" || kept === "dark" ? kept : "system";
  };

  const apply = () => {
    const isDark = choice() === "dark" || (choice() === "system" && system.matches);
    document.documentElement.classList.toggle("dark", isDark);
    dispatchEvent(new CustomEvent("themechange"));
  };

  const choose = (/** @type {"light" | "dark" | "system"} */ theme) => {
    if (theme === "system") localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, theme);
    apply();
  };

  system.addEventListener("change", apply);
  addEventListener("storage", apply);
  apply();
  window.theme = { choice, choose };
})();
