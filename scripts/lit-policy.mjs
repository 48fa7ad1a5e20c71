const CREATION = /(\w+)\.createPolicy\("lit-html",(\{[^}]*\})\)/;

/** Name of the Trusted Types policy of the bundle. */
const NAME = 'ubik-elements';

/** The declaration in `src/elements/define-element.ts` with the name for the warning. */
const DECLARED = "POLICY_NAME = 'lit-html'";

/**
 * Rollup plugin that renames the Trusted Types policy of the bundled Lit: a browser that enforces `trusted-types` refuses a second policy
 * of the same name, and the host page may load another Lit. It also catches the error when the page forbids the policy, because Lit would
 * throw when it is loaded. If the elements cannot render without the policy, `src/elements/define-element.ts` reports it.
 *
 * @returns {import('rollup').Plugin}
 */
export function litPolicy() {
  return {
    name: 'lit-policy',
    transform(code, id) {
      if (id.endsWith('/elements/define-element.ts')) {
        if (!code.includes(DECLARED)) this.error(`${id} does not contain ${DECLARED}.`);
        return { code: code.replace(DECLARED, `POLICY_NAME = '${NAME}'`), map: null };
      }
      if (!id.endsWith('/lit-html/lit-html.js')) return null;
      if (!CREATION.test(code))
        this.error('Lit creates its policy in a different way now: update this plugin.');
      const guarded = `(() => { try { return $1.createPolicy("${NAME}",$2) } catch {} })()`;
      return { code: code.replace(CREATION, guarded), map: null };
    },
  };
}
