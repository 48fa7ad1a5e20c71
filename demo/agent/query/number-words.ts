import { toPhrase } from './tokens.js';

const ENGLISH =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
const ENGLISH_TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const GERMAN =
  'null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn'.split(
    ' ',
  );
const GERMAN_TENS = 'zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig'.split(' ');
const FRENCH =
  'zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit dix-neuf'.split(
    ' ',
  );
const FRENCH_TENS = 'vingt trente quarante cinquante soixante'.split(' ');

/** Returns the English words of a number below 100. */
function nameInEnglish(number: number): string {
  if (number < 20) return ENGLISH[number] ?? '';
  const ten = ENGLISH_TENS[Math.floor(number / 10) - 2] ?? '';
  return number % 10 === 0 ? ten : `${ten} ${ENGLISH[number % 10] ?? ''}`;
}

function nameInGerman(number: number): string {
  if (number < 20) return GERMAN[number] ?? '';
  const ten = GERMAN_TENS[Math.floor(number / 10) - 2] ?? '';
  const one = number % 10 === 1 ? 'ein' : (GERMAN[number % 10] ?? '');
  return number % 10 === 0 ? ten : `${one}und${ten}`;
}

function nameInFrench(number: number): string {
  if (number < 20) return FRENCH[number] ?? '';
  if (number < 70) return joinInFrench(FRENCH_TENS[Math.floor(number / 10) - 2] ?? '', number % 10);
  if (number < 80) return joinInFrench('soixante', number - 60);
  return number === 80 ? 'quatre vingts' : `quatre vingt ${FRENCH[number - 80] ?? ''}`;
}

function joinInFrench(ten: string, rest: number): string {
  if (rest === 0) return ten;
  return rest === 1 || rest === 11
    ? `${ten} et ${FRENCH[rest] ?? ''}`
    : `${ten} ${FRENCH[rest] ?? ''}`;
}

/** Numbers by their words, up to 999. 1 is left out, because "one", "ein" and "un" seldom mean the number. */
const NUMBERS = {
  en: collect((add) => {
    for (let number = 2; number < 100; number += 1) add(nameInEnglish(number), number);
    add('a hundred', 100);
    for (let hundred = 1; hundred < 10; hundred += 1) {
      const name = `${ENGLISH[hundred] ?? ''} hundred`;
      add(name, hundred * 100);
      for (let rest = 1; rest < 100; rest += 1) {
        add(`${name} ${nameInEnglish(rest)}`, hundred * 100 + rest);
        add(`${name} and ${nameInEnglish(rest)}`, hundred * 100 + rest);
      }
    }
  }),
  de: collect((add) => {
    for (let number = 2; number < 100; number += 1) add(nameInGerman(number), number);
    for (let hundred = 1; hundred < 10; hundred += 1) {
      const names = [`${hundred === 1 ? 'ein' : (GERMAN[hundred] ?? '')}hundert`];
      if (hundred === 1) names.push('hundert');
      for (const name of names) {
        add(name, hundred * 100);
        for (let rest = 1; rest < 100; rest += 1) {
          add(`${name}${nameInGerman(rest)}`, hundred * 100 + rest);
        }
      }
    }
  }),
  fr: collect((add) => {
    for (let number = 2; number < 100; number += 1) add(nameInFrench(number), number);
    for (let hundred = 1; hundred < 10; hundred += 1) {
      const name = hundred === 1 ? 'cent' : `${FRENCH[hundred] ?? ''} cent`;
      add(hundred === 1 ? name : `${name}s`, hundred * 100);
      for (let rest = 1; rest < 100; rest += 1) {
        add(`${name} ${nameInFrench(rest)}`, hundred * 100 + rest);
      }
    }
  }),
} as const;

function collect(
  fill: (add: (name: string, number: number) => void) => void,
): ReadonlyMap<string, number> {
  const numbers = new Map<string, number>();
  fill((name, number) => numbers.set(toPhrase(name), number));
  return numbers;
}

/** Returns the numbers of a language by their words; the words are in lower case, without diacritics, with single spaces. */
export function numberWordsOf(language: 'en' | 'de' | 'fr'): ReadonlyMap<string, number> {
  return NUMBERS[language];
}
