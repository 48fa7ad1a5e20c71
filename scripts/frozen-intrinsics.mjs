const DECLARATION = 'Symbol.metadata??=Symbol("metadata"),';

/**
 * Rollup plugin that lets the bundled Lit load on a page that has frozen the intrinsics of JavaScript, as hardened environments do: Lit adds
 * `Symbol.metadata` where the browser lacks it, which throws there. Only decorators of Lit use that symbol, and the elements use none.
 *
 * @returns {import('rollup').Plugin}
 */
export function frozenIntrinsics() {
  return {
    name: 'frozen-intrinsics',
    transform(code, id) {
      if (!id.endsWith('/reactive-element/reactive-element.js')) return null;
      if (!code.includes(DECLARATION))
        this.error('Lit declares Symbol.metadata in a different way now: update this plugin.');
      const guarded = 'try{Symbol.metadata??=Symbol("metadata")}catch{}';
      return { code: code.replace(DECLARATION, guarded), map: null };
    },
  };
}
