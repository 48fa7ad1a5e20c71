import { html, render } from 'lit';
import { warnOnce } from '../dom/warn-once.js';

let answer: boolean | undefined;

/**
 * Whether the page lets Lit make nodes from templates. Where its policy for Trusted Types forbids that, nothing can be drawn: the
 * author is told once.
 */
export function canDraw(): boolean {
  answer ??= tryToDraw();
  return answer;
}

function tryToDraw(): boolean {
  try {
    render(html`<i></i>`, document.createDocumentFragment());
    return true;
  } catch {
    warnOnce(
      'The Content-Security-Policy of the page refuses the Trusted Types policy "lit-html", so nothing can be drawn. Allow it in the directive "trusted-types": trusted-types lit-html (with \'allow-duplicates\' where the page has a Lit of its own).',
    );
    return false;
  }
}
