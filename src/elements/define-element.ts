import { warnOnce } from '../dom/warn-once.js';
import { html, render } from 'lit';

/** Version of this package. A test compares it with package.json. */
export const VERSION = '0.1.0';

/** Where a class says of which version it is. */
interface Versioned {
  readonly ubikVersion?: string;
}

/**
 * Registers an element, unless its name is taken already: by another copy of this library, which serves as well when it is of
 * the same version, or by somebody else, or the page lets nothing be drawn. Never throws.
 */
export function defineElement(name: string, element: CustomElementConstructor): void {
  const { customElements } = globalThis as { customElements?: CustomElementRegistry };
  // No registry: a server that only wants the classes.
  if (!customElements || !canRenderTemplates()) return;
  const known: (CustomElementConstructor & Versioned) | undefined = customElements.get(name);
  if (!known) {
    Object.defineProperty(element, 'ubikVersion', { value: VERSION });
    customElements.define(name, element);
    return;
  }
  if (known === element || known.ubikVersion === VERSION) return;
  warnOnce(
    `<${name}> was defined already, by ${known.ubikVersion ?? 'somebody else'}; this is version ${VERSION}. Load one copy only.`,
  );
}

let canRender: boolean | undefined;

/**
 * Whether the page lets Lit make nodes from templates. Where its policy for Trusted Types forbids that, nothing can be drawn: the
 * author is told once.
 */
export function canRenderTemplates(): boolean {
  canRender ??= tryToRender();
  return canRender;
}

function tryToRender(): boolean {
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
