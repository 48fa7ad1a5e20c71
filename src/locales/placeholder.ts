import { fileFor } from './tag.js';

/** What the button of a chat is called, and what its window says while it is empty. */
export interface PlaceholderWords {
  readonly open: string;
  readonly loading: string;
  readonly failed: string;
}

const ENGLISH: PlaceholderWords = {
  open: 'Open chat',
  loading: 'Loading…',
  failed: 'The chat could not be loaded.',
};

/** What can be said before the file of a language, or of the chat itself, is there. */
export const PLACEHOLDER_WORDS: ReadonlyMap<string, PlaceholderWords> = new Map([
  ['en', ENGLISH],
  ['ar', { open: 'فتح الدردشة', loading: 'جارٍ التحميل…', failed: 'تعذّر تحميل الدردشة.' }],
  [
    'de',
    {
      open: 'Chat öffnen',
      loading: 'Wird geladen\u00a0…',
      failed: 'Der Chat konnte nicht geladen werden.',
    },
  ],
  [
    'es',
    { open: 'Abrir el chat', loading: 'Cargando…', failed: 'No se ha podido cargar el chat.' },
  ],
  [
    'fr',
    {
      open: 'Ouvrir la discussion',
      loading: 'Chargement…',
      failed: 'La discussion n’a pas pu être chargée.',
    },
  ],
  [
    'ja',
    {
      open: 'チャットを開く',
      loading: '読み込み中…',
      failed: 'チャットを読み込めませんでした。',
    },
  ],
  ['zh', { open: '打开聊天', loading: '正在加载…', failed: '无法加载聊天。' }],
]);

/** The words for a language tag: those of the language that its file would be in, else English. */
export function findPlaceholderWords(tag: string): PlaceholderWords {
  return PLACEHOLDER_WORDS.get(fileFor(tag)) ?? ENGLISH;
}

/** Whether those are words of the language that was asked for. */
export function speaksPlaceholder(tag: string): boolean {
  return PLACEHOLDER_WORDS.has(fileFor(tag));
}
