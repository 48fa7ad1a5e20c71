/**
 * Renders Markdown extensions and sanitizes HTML with the copies of `marked` and `dompurify` that the app has installed: the modules below
 * import them by name, for a bundler or an import map to find, while the files in `dist/bundle/extras` contain copies. An app imports this
 * file once, before a text is shown; each copy is loaded when a text first needs it.
 */
import { ownExtras } from '../dom/extra-files.js';

ownExtras?.set('marked', () => import('../markdown/extras/marked.js'));
ownExtras?.set('sanitize', () => import('../markdown/extras/sanitize.js'));
