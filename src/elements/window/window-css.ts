/**
 * The button in the corner and the frame of the window, as a text: it is read by Lit's style sheets and, before Lit is there, by a
 * sheet of its own. Colours are those of the tokens where these are there.
 */
export const launcherCss = `
.launcher {
  all: initial;
  position: fixed;
  inset-block-end: max(1rem, env(safe-area-inset-bottom));
  inset-inline-end: max(1rem, env(safe-area-inset-right));
  display: grid;
  box-sizing: border-box;
  place-items: center;
  inline-size: 3.5rem;
  block-size: 3.5rem;
  border: 1px solid transparent;
  border-radius: 50%;
  background: var(--_accent, var(--ubik-accent, #2b5fc4));
  color: var(
    --_on-accent,
    var(--ubik-on-accent, oklch(from var(--_accent, var(--ubik-accent, #2b5fc4)) clamp(0, (0.66 - l) * 1000, 1) 0 0))
  );
  box-shadow: 0 0.25rem 1rem rgb(0 0 0 / 24%);
  cursor: pointer;
}
.launcher:hover { filter: brightness(1.08); }
.launcher:active { filter: brightness(0.94); }
.launcher:focus-visible {
  outline: 2px solid var(--_accent, var(--ubik-accent, #2b5fc4));
  outline-offset: 3px;
}
.launcher svg {
  inline-size: 1.625rem;
  block-size: 1.625rem;
  fill: none;
  stroke: currentColor;
  stroke-width: 1.8;
  stroke-linejoin: round;
}
.badge {
  position: absolute;
  inset-block-start: -0.25rem;
  inset-inline-end: -0.25rem;
  box-sizing: border-box;
  min-inline-size: 1.375rem;
  padding-inline: 0.3rem;
  border-radius: 0.6875rem;
  background: var(--_danger, var(--ubik-danger, #b3261e));
  color: var(--_background, #fff);
  font: 600 0.75rem/1.375rem system-ui, sans-serif;
  text-align: center;
}
.badge:empty { display: none; }
@supports not (color: oklch(from red l c h)) {
  .launcher { color: var(--_on-accent, var(--ubik-on-accent, #fff)); }
}
@media (forced-colors: active) {
  .launcher, .badge { border: 1px solid ButtonText; }
}
@media print {
  .launcher { display: none; }
}
`;

/** Where the window of a bubble stands, its head, and how large it is until the person chooses. */
export const frameCss = `
.window {
  position: fixed;
  inset-block-end: calc(max(1rem, env(safe-area-inset-bottom)) + 4.25rem);
  inset-inline-end: max(1rem, env(safe-area-inset-right));
  box-sizing: border-box;
  inline-size: min(var(--_inline-size, 25rem), 100vw - 2rem);
  block-size: min(var(--_block-size, 40rem), 100dvh - 6rem);
  border: 1px solid var(--_line, rgb(128 128 128 / 32%));
  border-radius: calc(var(--ubik-radius, 0.625rem) * 1.4);
  overflow: clip;
  box-shadow: 0 0.5rem 2.5rem rgb(0 0 0 / 22%);
}
.window-head {
  display: flex;
  flex: none;
  align-items: center;
  gap: 0.5rem;
  min-block-size: 3rem;
  padding-inline: 1rem 0.25rem;
  border-block-end: 1px solid var(--_line, rgb(128 128 128 / 32%));
}
.window-title {
  flex: 1;
  min-inline-size: 0;
  overflow: hidden;
  font-weight: 600;
  text-overflow: ellipsis;
  white-space: nowrap;
}
.window-close {
  display: grid;
  flex: none;
  place-items: center;
  inline-size: 2.5rem;
  block-size: 2.5rem;
  border-radius: 0.375rem;
}
.window-close svg {
  inline-size: 1rem;
  block-size: 1rem;
  fill: none;
  stroke: currentColor;
  stroke-width: 1.6;
}
.window-close:hover { background: var(--_hover, rgb(128 128 128 / 16%)); }
@media (width < 30rem), (height < 26rem) {
  .window {
    inset: 0;
    inline-size: auto;
    block-size: auto;
    padding: env(safe-area-inset-top) env(safe-area-inset-right) 0 env(safe-area-inset-left);
    border: 0;
    border-radius: 0;
  }
}
`;
