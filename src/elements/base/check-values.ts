import { warnOnce } from '../../dom/warn-once.js';
import type { UbikChat } from '../ubik-chat.js';
import type { UbikMessage } from '../ubik-message.js';

/** Values of attributes with a fixed set of values. Any other value behaves like the default. */
const ALLOWED_VALUES = {
  theme: ['light', 'dark', 'auto'],
  layout: ['inline', 'panel', 'bubble', 'page'],
  density: ['comfortable', 'compact'],
  imagePolicy: ['link', 'data', 'allow'],
  html: ['text', 'sanitized'],
  drafts: ['on', 'off'],
  announce: ['all', 'brief', 'off'],
  whileRunning: ['queue', 'stop', 'draft'],
  steps: ['summary', 'list'],
  author: ['assistant', 'user'],
} as const satisfies {
  readonly [Name in keyof UbikChat]?: readonly UbikChat[Name][];
} & Partial<Record<'author', readonly UbikMessage['author'][]>>;

/** Warns about unknown values of those attributes that an element has. */
export function checkValues(
  element: HTMLElement & {
    readonly [Name in keyof typeof ALLOWED_VALUES]?: string | boolean | null;
  },
): void {
  for (const [name, choices] of Object.entries(ALLOWED_VALUES)) {
    // A framework may set another type, such as true for an attribute without a value.
    const text = String(element[name as keyof typeof ALLOWED_VALUES] ?? '');
    // Origins may follow the keyword: `allow https://files.example/`.
    const value = text.trim().split(' ', 1)[0];
    if (!value || (choices as readonly string[]).includes(value)) continue;
    warnOnce(
      `<${element.localName}> does not know ${name} "${value}". Use one of: ${choices.join(', ')}.`,
    );
  }
}
