// Has Preact's components follow the signals they read; nothing is imported by name.
export {};
