import { css, unsafeCSS } from 'lit';
import { sizeUnit } from './size-unit.js';

/**
 * Resets inheritance, so that styles of the host page do not leak in, except font family, font size, accent colour, colour scheme and
 * direction. `all` does not include direction, so a `dir` attribute of the element applies. All colours are derived from five; each derived
 * one can be set as well, except those of field borders and hovered controls.
 */
export const tokenStyles = css`
  /* Keeps the language of the context, which selects Han glyphs and line breaking. */
  :host,
  .ubik {
    all: initial;
    -webkit-locale: revert-layer;
  }
  :host {
    display: block;
    contain: layout style;
    font-family: inherit;
    font-size: inherit;
    --_ubik-rem: ${unsafeCSS(sizeUnit)};
    accent-color: inherit;
    color-scheme: inherit;
  }
  :host([theme='light']) {
    color-scheme: light;
  }
  :host([theme='dark']) {
    color-scheme: dark;
  }
  :host([theme='auto']) {
    color-scheme: light dark;
  }
  .ubik {
    --_text: var(--ubik-text, light-dark(#1c1e21, #e6e7e9));
    --_background: var(--ubik-background, light-dark(#fff, #16181b));
    --_own: var(--ubik-accent, var(--_page-accent, #2b5fc4));
    /* An accent of the host page that is too dark for a dark background is lightened. */
    --_accent: var(
      --ubik-accent,
      light-dark(var(--_own), oklch(from var(--_own) max(l, 0.75) c h))
    );
    --_danger: var(--ubik-danger, light-dark(#b3261e, #f2938c));
    --_success: var(--ubik-success, light-dark(#1a7f4b, #6fcf97));
    /* White on an accent with a lightness below 0.66, else black. The factor 1000 makes the transition a step. */
    --_on-accent: var(
      --ubik-on-accent,
      oklch(from var(--_accent) clamp(0, (0.66 - l) * 1000, 1) 0 0)
    );
    --_muted: var(--ubik-muted, color-mix(in oklab, var(--_text), var(--_background) 32%));
    --_line: var(--ubik-line, color-mix(in oklab, var(--_text) 14%, transparent));
    --_field-line: color-mix(in oklab, var(--_text) 54%, var(--_background));
    --_surface: var(--ubik-surface, color-mix(in oklab, var(--_text) 3%, var(--_background)));
    --_tint: var(
      --ubik-tint,
      light-dark(
        color-mix(in oklab, var(--_accent) 9%, var(--_background)),
        color-mix(in oklab, var(--_accent) 17%, var(--_background))
      )
    );
    --_hover: color-mix(in oklab, var(--_text) 7%, transparent);
    --_border: 1px solid var(--_line);
    --_radius: var(--ubik-radius-card, var(--ubik-radius, calc(0.625 * var(--_ubik-rem))));
    --_control-radius: var(--ubik-radius-control, calc(var(--_radius) * 0.6));
    --_round: calc(var(--_radius) * 1.8);
    --_mono: ui-monospace, 'SF Mono', Menlo, Consolas, monospace;
    display: flex;
    flex-direction: column;
    box-sizing: border-box;
    height: 100%;
    color-scheme: inherit;
    accent-color: var(--_accent);
    color: var(--_text);
    font-family: var(--ubik-font, inherit);
    --_ubik-text: calc(0.9375 * var(--_ubik-rem));
    font-size: var(--_ubik-text);
    line-height: 1.55;
    overflow-wrap: anywhere;
    -webkit-text-size-adjust: 100%;
  }
  /* Chrome before 123, Safari before 17.5: without light-dark(), use system colours, which follow the colour
     scheme. */
  @supports not (color: light-dark(#000, #fff)) {
    .ubik {
      --_text: var(--ubik-text, CanvasText);
      --_background: var(--ubik-background, Canvas);
      --_accent: var(--_own);
      --_danger: var(--ubik-danger, color-mix(in oklab, #c5453b, CanvasText 15%));
      --_success: var(--ubik-success, color-mix(in oklab, #2f9a63, CanvasText 15%));
      --_tint: var(--ubik-tint, color-mix(in oklab, var(--_accent) 12%, var(--_background)));
    }
  }
  /* Firefox before 128: no relative colours. */
  @supports not (color: oklch(from red l c h)) {
    .ubik {
      --_accent: var(--ubik-accent, var(--_page-accent, light-dark(#2b5fc4, #8fb0f5)));
      --_on-accent: var(--ubik-on-accent, light-dark(#fff, #16181b));
    }
  }
  @supports not (color: color-mix(in oklab, red, blue)) {
    .ubik {
      --_muted: var(--ubik-muted, var(--_text));
      --_line: var(--ubik-line, rgb(128 128 128 / 30%));
      --_field-line: rgb(128 128 128);
      --_surface: var(--ubik-surface, rgb(128 128 128 / 6%));
      --_tint: var(--ubik-tint, rgb(128 128 128 / 16%));
      --_hover: rgb(128 128 128 / 12%);
    }
  }
`;
