const STOP = new Set(
  `a about above after again all also an and any are as at be because been before being below between both but by can could
  did do does doing down during each few for from further had has have having he her here how i if in into is it its just me
  more most my no nor not of off on once only or other our out over own please same she should so some such tell than that the
  their them then there these they this those through to too under until up us very was we were what when where which while who
  whom why will with would you your say says said explain describe know find show give look use instead include read focus happens happen work works`
    .split(/\s+/u)
    .filter((word) => word !== ''),
);

/** Returns the words of a text in lower case, without diacritics and punctuation. */
export function wordsOf(text: string): string[] {
  return (
    text
      .normalize('NFKD')
      .replaceAll(/\p{M}/gu, '')
      .toLowerCase()
      .match(/[\p{L}\p{N}_]+/gu) ?? []
  );
}

/** Returns the words of a question without stop words and duplicates, at most twenty. */
export function keyWordsOf(text: string): string[] {
  const words = wordsOf(text).filter((word) => word.length > 1 && !STOP.has(word));
  return [...new Set(words)].slice(0, 20);
}

/** Returns the stem that the forms of a word share. */
export function stemOf(word: string): string {
  const stem = word.replace(/(?:ing|ed|es|s|ly|ment|tion|ions?)$/u, '');
  return stem.length < 3 ? word : stem;
}

/** Whether a text contains a name as whole words, ignoring case and diacritics. */
export function names(text: string, name: string): boolean {
  return ` ${wordsOf(text).join(' ')} `.includes(` ${wordsOf(name).join(' ')} `);
}
