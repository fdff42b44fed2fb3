// Finds what is on the screen by role and name, as a person would: visible, and within the dialog that is open, if one is.
const [role, name] = arguments;
const SELECTORS = {
  button: "button, summary",
  link: "a[href]",
  field: "input:not([type=checkbox]):not([type=radio]), textarea, select",
  checkbox: "input[type=checkbox]:not([role=switch])",
  radio: "input[type=radio]",
  switch: "[role=switch]",
  dialog: "dialog[open]",
};
const tidy = (text) => (text ?? "").replace(/\s+/g, " ").trim();
const named = (element) => {
  const by = element.getAttribute("aria-labelledby");
  if (by) return tidy(by.split(" ").map((id) => document.getElementById(id)?.textContent).join(" "));
  if (element.hasAttribute("aria-label")) return tidy(element.getAttribute("aria-label"));
  if (element.labels?.length) return tidy([...element.labels].map((label) => label.innerText).join(" "));
  return tidy(element.innerText ?? element.textContent);
};
const isVisible = (element) => element.checkVisibility({ visibilityProperty: true }) && element.getClientRects().length > 0;
const open = [...document.querySelectorAll("dialog[open]")].at(-1);
const places = open && role !== "dialog" ? [open, document.querySelector(".toasts")].filter(Boolean) : [document];
const all = places.flatMap((place) => [...place.querySelectorAll(SELECTORS[role])]).filter(isVisible);
return all.find((element) => named(element) === name) ?? all.find((element) => named(element).startsWith(name)) ?? all.find((element) => named(element).includes(name)) ?? null;
