import { warnOnce } from '../dom/warn-once.js';

/** Values of attributes with a fixed set of values; any other value has the effect of the default. */
const ALLOWED_VALUES = {
  theme: ['light', 'dark', 'auto'],
  layout: ['inline', 'panel', 'bubble', 'page'],
  density: ['comfortable', 'compact'],
  imagePolicy: ['link', 'data', 'allow'],
  html: ['text', 'sanitized'],
  drafts: ['on', 'off'],
  announce: ['all', 'brief', 'off'],
  whileRunning: ['queue', 'stop', 'draft'],
} as const;

/** Warns about unknown attribute values. */
export function checkAttributes(
  values: Readonly<Record<keyof typeof ALLOWED_VALUES, string>>,
): void {
  for (const [name, choices] of Object.entries(ALLOWED_VALUES)) {
    // Origins may follow: `allow https://files.example/`.
    const [value = ''] = values[name as keyof typeof ALLOWED_VALUES].trim().split(' ', 1);
    if (value === '' || (choices as readonly string[]).includes(value)) continue;
    warnOnce(`<ubik-chat> does not know ${name} "${value}". Use one of: ${choices.join(', ')}.`);
  }
}
