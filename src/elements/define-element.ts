import { warnOnce } from '../dom/warn-once.js';
import { html, render } from 'lit';

/** Version of this package. A test compares it with package.json. */
export const VERSION = '0.1.0';

/** Trusted Types policy of Lit. In the bundle it has another name (scripts/lit-policy.mjs), because the page may load another copy of Lit. */
const POLICY_NAME = 'lit-html';

/** An element class. `ubikVersion` is the version of this package that has defined it; a class of other code has none. */
interface Versioned {
  readonly ubikVersion?: string;
}

/**
 * Defines a custom element. A name that is already defined keeps its definition, and a warning is logged unless a copy of the same version
 * has defined it. Defines nothing where templates cannot be rendered. Never throws.
 */
export function defineElement(name: string, element: CustomElementConstructor): void {
  const { customElements } = globalThis as { customElements?: CustomElementRegistry };
  // On a server, where Lit may define a registry but no document, only the classes are used.
  if (!customElements || !('document' in globalThis) || !canRenderTemplates()) return;
  const known: (CustomElementConstructor & Versioned) | undefined = customElements.get(name);
  if (!known) {
    Object.defineProperty(element, 'ubikVersion', { value: VERSION });
    customElements.define(name, element);
    return;
  }
  if (known === element || known.ubikVersion === VERSION) return;
  // Another version of this package has usually defined all elements. The warning about it names no element, so that `warnOnce` logs it once.
  const defined = known.ubikVersion
    ? `The elements are already defined by version ${known.ubikVersion}`
    : `<${name}> is already defined by other code`;
  warnOnce(`${defined}; this is version ${VERSION}. Load one copy only.`);
}

let canRender: boolean | undefined;

/**
 * Whether Lit may create nodes from templates. If the Content-Security-Policy of the page forbids Lit's Trusted Types policy, nothing can be
 * rendered, and a warning is logged once.
 */
function canRenderTemplates(): boolean {
  canRender ??= tryToRender();
  return canRender;
}

function tryToRender(): boolean {
  try {
    render(html`<i></i>`, document.createDocumentFragment());
    return true;
  } catch {
    warnOnce(
      `The Content-Security-Policy of the page refuses the Trusted Types policy "${POLICY_NAME}", so nothing can be rendered. Allow it in the directive "trusted-types": trusted-types ${POLICY_NAME} (with 'allow-duplicates' where the page loads it twice).`,
    );
    return false;
  }
}
