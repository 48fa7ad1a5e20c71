import { warnOnce } from '../dom/warn-once.js';

/** Values that attributes with a fixed choice may have; anything else counts as the default. */
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

/** Warns about values that mean nothing. */
export function checkAttributes(
  values: Readonly<Record<keyof typeof ALLOWED_VALUES, string>>,
): void {
  for (const [name, choices] of Object.entries(ALLOWED_VALUES)) {
    // Places may follow: `allow https://files.example/`.
    const [value = ''] = values[name as keyof typeof ALLOWED_VALUES].trim().split(' ', 1);
    if (value === '' || (choices as readonly string[]).includes(value)) continue;
    warnOnce(`<ubik-chat> knows no ${name} "${value}". Use one of: ${choices.join(', ')}.`);
  }
}
