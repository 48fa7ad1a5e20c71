import type { LocaleText } from './locale.js';

/** The words of a language as its file has them. English says which there are; a test compares. */
export type Words = Readonly<Record<string, LocaleText>>;
