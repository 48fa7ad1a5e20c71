import { LazyModule } from '../dom/lazy-module.js';
import type { RenderFence } from '../markdown/options.js';
import type { DiagramRenderer } from './diagram-view.js';

/** Where the page serves the files that draw Mermaid diagrams. */
export interface MermaidOptions {
  /** Address of Mermaid as a classic script, such as the `dist/mermaid.min.js` of the package `mermaid`; relative to the page. */
  readonly script: string;
  /** Address of the document in which Mermaid runs; by default that of `mermaid.html` beside this module. */
  readonly frame?: string | undefined;
}

/**
 * Creates a function for `renderFence` that draws closed fences of the language `mermaid`. Mermaid itself is loaded with the first of
 * them.
 */
export function createMermaidRenderer({ script, frame }: MermaidOptions): RenderFence {
  const lazyRenderer = new LazyModule(async (): Promise<DiagramRenderer> => {
    const { findRenderer } = await import('./diagram-view.js');
    return findRenderer({
      script,
      frame: frame ?? new URL('./mermaid.html', import.meta.url).href,
    });
  });
  return (_info, source, { box, language, open }) => {
    if (open || language.toLowerCase() !== 'mermaid') return undefined;
    return lazyRenderer.load().then((renderer) => renderer.render(source, box));
  };
}
