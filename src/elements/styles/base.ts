import { css } from 'lit';

/**
 * Every element begins from nothing, so that what a page inherits to us changes nothing; font, accent, colour scheme and
 * direction are taken on purpose. All colours are made from five; each derived one can be set too.
 */
export const baseStyles = css`
  :host {
    all: initial;
    display: block;
    contain: content;
    isolation: isolate;
    font-family: inherit;
    accent-color: inherit;
    color-scheme: inherit;
    direction: inherit;
  }
  :host([hidden]) {
    display: none !important;
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
    all: initial;
    --_text: var(--ubik-text, light-dark(#1c1e21, #e6e7e9));
    --_background: var(--ubik-background, light-dark(#fff, #16181b));
    --_own: var(--ubik-accent, var(--_page-accent, #2b5fc4));
    --_accent: var(
      --ubik-accent,
      light-dark(var(--_own), color-mix(in oklab, var(--_own), #fff 45%))
    );
    --_danger: var(--ubik-danger, light-dark(#b3261e, #f2938c));
    --_success: var(--ubik-success, light-dark(#1a7f4b, #6fcf97));
    --_on-accent: var(
      --ubik-on-accent,
      oklch(from var(--_accent) clamp(0, (0.66 - l) * 1000, 1) 0 0)
    );
    --_muted: var(--ubik-muted, color-mix(in oklab, var(--_text), var(--_background) 32%));
    --_line: var(--ubik-line, color-mix(in oklab, var(--_text) 14%, transparent));
    --_surface: var(--ubik-surface, color-mix(in oklab, var(--_text) 3%, var(--_background)));
    --_tint: var(
      --ubik-tint,
      light-dark(
        color-mix(in oklab, var(--_accent) 9%, var(--_background)),
        color-mix(in oklab, var(--_accent) 17%, var(--_background))
      )
    );
    --_hover: color-mix(in oklab, var(--_text) 7%, transparent);
    --_radius: var(--ubik-radius-card, var(--ubik-radius, 0.625rem));
    --_control: var(--ubik-radius-control, calc(var(--_radius) * 0.6));
    --_round: calc(var(--_radius) * 1.8);
    display: block;
    box-sizing: border-box;
    color-scheme: inherit;
    direction: inherit;
    accent-color: var(--_accent);
    background: var(--_background);
    color: var(--_text);
    font-size: 0.9375rem;
    line-height: 1.55;
    font-family: var(--ubik-font, inherit);
    overflow-wrap: anywhere;
    -webkit-text-size-adjust: 100%;
  }
  /* A page's grid or row must not be widened by the longest line that we could show. */
  .transcript,
  .composer,
  .status-bar {
    contain: inline-size;
    contain-intrinsic-inline-size: min(18rem, 100vw - 2rem);
  }
  *,
  *::before,
  *::after {
    box-sizing: border-box;
  }
  [hidden] {
    display: none !important;
  }
  :focus-visible {
    outline: 2px solid var(--_accent);
    outline-offset: 2px;
  }
  p,
  h3,
  h4,
  ul,
  ol,
  figure,
  fieldset {
    margin: 0;
    padding: 0;
    border: 0;
    font: inherit;
    list-style: none;
  }
  a {
    color: var(--_accent);
    text-underline-offset: 0.15em;
  }
  button,
  input,
  textarea {
    margin: 0;
    font: inherit;
    color: inherit;
    letter-spacing: inherit;
  }
  button {
    border: 0;
    background: none;
    padding: 0;
    cursor: pointer;
    text-align: start;
  }
  button:disabled,
  button[aria-disabled='true'] {
    cursor: default;
    opacity: 0.5;
  }
  .primary,
  .quiet {
    min-block-size: 2rem;
    padding: 0.25rem 0.75rem;
    border-radius: var(--_control);
    border: 1px solid var(--_line);
    font-size: 0.875rem;
  }
  .primary {
    border-color: transparent;
    background: var(--_accent);
    color: var(--_on-accent);
    font-weight: 600;
  }
  .quiet:hover {
    background: var(--_hover);
  }
  .primary:hover:not(:disabled) {
    background: color-mix(in oklab, var(--_accent), var(--_text) 14%);
  }
  .primary:active,
  .quiet:active {
    translate: 0 1px;
  }
  .meta {
    color: var(--_muted);
    font-size: 0.8125rem;
  }
  .hidden {
    position: absolute;
    inline-size: 1px;
    block-size: 1px;
    margin: -1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  .icon {
    flex: none;
    inline-size: 1em;
    block-size: 1em;
    fill: none;
    stroke: currentColor;
    stroke-width: 1.6;
    stroke-linecap: round;
    stroke-linejoin: round;
  }
  .complaint {
    color: var(--_danger);
    font-size: 0.8125rem;
  }
  .complaint:empty {
    display: none;
  }
  @media (pointer: coarse) {
    button,
    .choice {
      min-block-size: 2.75rem;
    }
  }
  @media (prefers-reduced-motion: reduce) {
    * {
      animation-duration: 0s !important;
      transition: none !important;
      scroll-behavior: auto !important;
    }
  }
`;
