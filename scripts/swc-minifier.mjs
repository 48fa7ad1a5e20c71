/** The second minifier of the bundles, after esbuild. */
import { minify } from '@swc/core';

/**
 * Returns a Rollup plugin that minifies each built file with SWC.
 *
 * @param {import('@swc/core').JsMinifyOptions} options
 * @returns {import('rollup').Plugin}
 */
export const swcMinifier = (options) => ({
  name: 'swc-minifier',
  async renderChunk(code) {
    const { code: minified, map } = await minify(code, {
      ecma: 2020,
      sourceMap: true,
      format: {
        // By default, SWC escapes `<!--` and `-->`, also in regular expressions. That changes their `source`, of which Marked composes its rules.
        inlineScript: false,
        // Licences, and what bundlers read.
        comments: { regex: '^!|@license|@vite-ignore|webpackIgnore' },
      },
      ...options,
    });
    return { code: minified, map: map ?? null };
  },
});
