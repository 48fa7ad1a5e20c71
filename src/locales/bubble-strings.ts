import { languageFileFor } from './tag.js';

/** Label of the launcher button, and the texts of the chat window while the chat is loading. */
export interface BubbleStrings {
  readonly open: string;
  readonly loading: string;
  readonly failed: string;
}

const ENGLISH: BubbleStrings = {
  open: 'Open chat',
  loading: 'Loading…',
  failed: 'The chat could not be loaded.',
};

/** The strings of the bubble, which are needed before a language file or the chat itself is loaded. */
export const BUBBLE_STRINGS: ReadonlyMap<string, BubbleStrings> = new Map([
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
      open: 'Ouvrir le chat',
      loading: 'Chargement…',
      failed: 'Le chat n’a pas pu être chargé.',
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

/** Returns the strings for a language tag, in the language of the file that will be loaded for it; else English. */
export function findBubbleStrings(tag: string): BubbleStrings {
  return BUBBLE_STRINGS.get(languageFileFor(tag)) ?? ENGLISH;
}

/** Whether `findBubbleStrings` returns the language of the tag instead of the fallback. */
export function hasBubbleStrings(tag: string): boolean {
  return BUBBLE_STRINGS.has(languageFileFor(tag));
}
