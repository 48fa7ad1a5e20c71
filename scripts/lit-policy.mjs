const CREATION = /(\w+)\.createPolicy\("lit-html",(\{[^}]*\})\)/;

/**
 * A plug-in of Rollup for a page that refuses Lit's policy for Trusted Types, or has it already: Lit makes it while it is loaded, and
 * throws then. Whether anything can be drawn without it is seen when elements are defined (`src/elements/define-element.ts`).
 *
 * @returns {import('rollup').Plugin}
 */
export function litPolicy() {
  return {
    name: 'lit-policy',
    transform(code, id) {
      if (!id.endsWith('/lit-html/lit-html.js')) return null;
      if (!CREATION.test(code))
        this.error('Lit makes its policy in another way now: look at this plug-in.');
      const guarded = '(() => { try { return $1.createPolicy("lit-html",$2) } catch {} })()';
      return { code: code.replace(CREATION, guarded), map: null };
    },
  };
}
