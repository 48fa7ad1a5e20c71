/** Words that do not say what a question is about, without diacritics. */
const STOP = new Set(
  `a about above after again all also an and any are as at be because been before being below between both but by can could
  did do does doing down during each few for from further had has have having he her here how i if in into is it its just me
  more most my no nor not of off on once only or other our out over own please same she should so some such tell than that the
  their them then there these they this those through to too under until up us very was we were what when where which while who
  whom why will with would you your say says said anything something tell explain describe know find show give look use instead include read focus happens happen work works
  der die das den dem des ein eine einen einem einer und oder ist sind war hat haben wie wo wer warum wann welche welcher welches im in am an auf
  zu zum zur mit von vom für über nicht auch es ich du sie mir uns man wird werden kann können gibt etwas steht sagt dokumente dokument
  le la les un une des du de et ou est sont ont comment quand pourquoi qui que quoi quel quelle quels quelles dans sur avec pour par au aux ce
  cette ces il elle on je tu nous vous pas ne se sa son ses peut faire fait documents document
  如何 多少 可以 为何 没有 有没 关于 一下 告诉 一个 可否 能否 是否 或者 以及 还有 介绍 说明 解释`
    .split(/\s+/u)
    .filter((word) => word !== '')
    .map((word) => word.normalize('NFKD').replaceAll(/\p{M}/gu, '')),
);

/** Characters of Chinese function words: a pair with one of them does not say what a question is about. */
const FUNCTION_CHARACTERS = /[的了吗呢么吧哪怎什这那们是在和与请问]/u;

const HAN_RUN = /\p{Script=Han}+/gu;
const HAN_START = /^\p{Script=Han}/u;
const WORD = /\p{Script=Han}+|(?:(?!\p{Script=Han})[\p{L}\p{N}_])+/gu;

/**
 * Returns the words of a text in lower case, without diacritics and punctuation. A run of Chinese characters, which has no spaces, gives its
 * overlapping pairs.
 */
export function wordsOf(text: string): string[] {
  const words = text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().match(WORD) ?? [];
  return words.flatMap((word) => (HAN_START.test(word) ? pairsOf(word) : [word]));
}

/** Returns the words of a question without stop words, single characters and duplicates, at most forty. */
export function keywordsOf(text: string): string[] {
  const words = wordsOf(text).filter(
    (word) => word.length > 1 && !STOP.has(word) && !FUNCTION_CHARACTERS.test(word),
  );
  return [...new Set(words)].slice(0, 40);
}

/** Returns a word without a common English, German or French ending, so that most forms of a word become equal. */
export function stemOf(word: string): string {
  const stem = word.replace(/(?:ing|ed|es|en|er|e|s|ly|ment|tion|ions?)$/u, '');
  return stem.length < 3 ? word : stem;
}

/** Whether a text has Chinese characters. */
export function hasChinese(text: string): boolean {
  return /\p{Script=Han}/u.test(text);
}

/** Prepares a text for the full-text index, which separates words at spaces: each run of Chinese characters becomes its overlapping pairs. */
export function toIndexText(text: string): string {
  return text.replaceAll(HAN_RUN, (run) => ` ${pairsOf(run).join(' ')} `);
}

/** The overlapping pairs of a run of characters; the character itself when it is alone. */
function pairsOf(run: string): string[] {
  const characters = [...run];
  if (characters.length === 1) return characters;
  return characters.slice(1).map((character, index) => (characters[index] ?? '') + character);
}
