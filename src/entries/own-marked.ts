/**
 * Renders Markdown extensions and sanitizes HTML with the copies of `marked` and `dompurify` that the app has installed, instead of those in
 * the package. An app imports this file once, before a text is shown; each copy is loaded when a text first needs it. Needs a bundler or an
 * import map that finds both packages.
 */
import { ownExtras } from '../dom/extra-files.js';

ownExtras?.set('marked', () => import('../markdown/extras/marked.js'));
ownExtras?.set('sanitize', () => import('../markdown/extras/sanitize.js'));
