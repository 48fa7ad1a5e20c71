import markedAlert from 'marked-alert';
import { markedEmoji } from 'marked-emoji';

/** The Markdown extensions of the subject `extended` and of the reference. */
export const EXTENSIONS = [
  markedAlert(),
  markedEmoji({ emojis: { wave: '👋' }, renderer: (token) => token.emoji }),
];
