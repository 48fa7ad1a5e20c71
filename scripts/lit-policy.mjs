const CREATION = /(\w+)\.createPolicy\("lit-html",(\{[^}]*\})\)/;

/**
 * Rollup plugin for pages that forbid Lit's Trusted Types policy, or in which it exists already: Lit would throw when it is loaded. If
 * the elements cannot render without the policy, `src/elements/define-element.ts` reports it.
 *
 * @returns {import('rollup').Plugin}
 */
export function litPolicy() {
  return {
    name: 'lit-policy',
    transform(code, id) {
      if (!id.endsWith('/lit-html/lit-html.js')) return null;
      if (!CREATION.test(code))
        this.error('Lit creates its policy in a different way now: update this plugin.');
      const guarded = '(() => { try { return $1.createPolicy("lit-html",$2) } catch {} })()';
      return { code: code.replace(CREATION, guarded), map: null };
    },
  };
}
