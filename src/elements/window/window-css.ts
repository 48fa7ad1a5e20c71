/**
 * Styles of the launcher as text, because the placeholder uses them before Lit is loaded. The chat sets the properties `--_…`; those that
 * the placeholder does not set have a fallback. The icon is white on an accent with a lightness below 0.66, else black.
 */
export const launcherCss = `
.launcher {
  all: initial;
  position: fixed;
  inset-block-end: max(var(--_ubik-rem), env(safe-area-inset-bottom));
  inset-inline-end: max(var(--_ubik-rem), env(safe-area-inset-right));
  display: grid;
  box-sizing: border-box;
  place-items: center;
  inline-size: calc(3.5 * var(--_ubik-rem));
  block-size: calc(3.5 * var(--_ubik-rem));
  border: 1px solid transparent;
  border-radius: 50%;
  background: var(--_accent, var(--ubik-accent, #2b5fc4));
  color: var(
    --_on-accent,
    var(--ubik-on-accent, oklch(from var(--_accent, var(--ubik-accent, #2b5fc4)) clamp(0, (0.66 - l) * 1000, 1) 0 0))
  );
  box-shadow: 0 calc(0.25 * var(--_ubik-rem)) var(--_ubik-rem) rgb(0 0 0 / 24%);
  cursor: pointer;
}
.launcher:hover { filter: brightness(1.08); }
.launcher:active { filter: brightness(0.94); }
.launcher:focus-visible {
  outline: 2px solid var(--_accent, var(--ubik-accent, #2b5fc4));
  outline-offset: 3px;
}
.launcher svg {
  inline-size: calc(1.625 * var(--_ubik-rem));
  block-size: calc(1.625 * var(--_ubik-rem));
  fill: none;
  stroke: currentColor;
  stroke-width: 1.8;
  stroke-linejoin: round;
}
.badge {
  position: absolute;
  inset-block-start: calc(-0.25 * var(--_ubik-rem));
  inset-inline-end: calc(-0.25 * var(--_ubik-rem));
  box-sizing: border-box;
  min-inline-size: calc(1.375 * var(--_ubik-rem));
  padding-inline: calc(0.3 * var(--_ubik-rem));
  border-radius: calc(0.6875 * var(--_ubik-rem));
  background: var(--_danger, var(--ubik-danger, #b3261e));
  color: var(--_background, #fff);
  font: 600 calc(0.75 * var(--_ubik-rem))/calc(1.375 * var(--_ubik-rem)) system-ui, sans-serif;
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

/** Styles of the window frame: position, default size, title bar. */
export const frameCss = `
.window {
  position: fixed;
  inset-block-end: calc(max(var(--_ubik-rem), env(safe-area-inset-bottom)) + calc(4.25 * var(--_ubik-rem)));
  inset-inline-end: max(var(--_ubik-rem), env(safe-area-inset-right));
  box-sizing: border-box;
  inline-size: min(var(--_inline-size, calc(25 * var(--_ubik-rem))), 100vw - calc(2 * var(--_ubik-rem)));
  block-size: min(var(--_block-size, calc(40 * var(--_ubik-rem))), 100dvh - calc(6 * var(--_ubik-rem)));
  border: 1px solid var(--_line, rgb(128 128 128 / 32%));
  border-radius: calc(var(--ubik-radius, calc(0.625 * var(--_ubik-rem))) * 1.4);
  overflow: clip;
  box-shadow: 0 calc(0.5 * var(--_ubik-rem)) calc(2.5 * var(--_ubik-rem)) rgb(0 0 0 / 22%);
}
.window-head {
  display: flex;
  flex: none;
  align-items: center;
  gap: calc(0.5 * var(--_ubik-rem));
  min-block-size: calc(3 * var(--_ubik-rem));
  padding-inline: var(--_ubik-rem) calc(0.25 * var(--_ubik-rem));
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
  inline-size: calc(2.5 * var(--_ubik-rem));
  block-size: calc(2.5 * var(--_ubik-rem));
  border-radius: calc(0.375 * var(--_ubik-rem));
}
.window-close svg {
  inline-size: var(--_ubik-rem);
  block-size: var(--_ubik-rem);
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
