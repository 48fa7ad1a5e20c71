import { toPhrase, tokenize } from './tokens.js';
import { formsOf } from './vocabulary.js';

/** A currency: how it is written in cells, and its words in headings and questions. */
interface Currency {
  readonly sign: string;
  readonly code: string;
  readonly words: readonly string[];
}

const CURRENCIES: readonly Currency[] = [
  { sign: '€', code: 'EUR', words: ['€', 'eur', 'euro', 'euros'] },
  { sign: '$', code: 'USD', words: ['$', 'usd', 'dollar', 'dollars'] },
  { sign: '£', code: 'GBP', words: ['£', 'gbp', 'pound', 'pounds', 'pfund', 'livres'] },
  { sign: 'CHF', code: 'CHF', words: ['chf', 'franken', 'francs'] },
];

/** Words of headings above prices, and of questions about them. */
const PRICE_WORDS =
  'price prices cost costs costing preis preise preises kosten kostet prix cout couts coute coutent'.split(
    ' ',
  );

/** Meanings of further phrases when a table has prices. `~` stands for the endings of German adjectives. */
const PHRASES: readonly (readonly [meaning: string, phrases: string])[] = [
  ['degree:comparative:desc:price', 'more expensive, costlier, pricier, dearer, teurer, teurere'],
  ['degree:comparative:asc:price', 'cheaper, less expensive, billiger, günstiger, preiswerter'],
  [
    'degree:superlative:desc:price',
    'most expensive, costliest, priciest, dearest, teuerst~, am teuersten',
  ],
  [
    'degree:superlative:asc:price',
    'cheapest, least expensive, billigst~, am billigsten, günstigst~, am günstigsten, preiswertest~',
  ],
  ['degree:either:desc:price', 'plus cher, plus chère, plus chers, plus chères'],
  ['degree:either:asc:price', 'moins cher, moins chère, moins chers, moins chères'],
];

const AMOUNT =
  /^(?:(?<before>€|\$|£|EUR|USD|GBP|CHF)\s*)?(?<number>[-−]?\s*\d[^€$£A-Z]*?)(?:\s*(?<after>€|\$|£|EUR|USD|GBP|CHF))?$/u;

/** Splits an amount of money into its number and its currency; null for any other text. */
function splitAmount(
  text: string,
): { readonly number: string; readonly currency: Currency } | null {
  const { before, number, after } = AMOUNT.exec(text)?.groups ?? {};
  if (number === undefined || (before === undefined) === (after === undefined)) return null;
  const mark = before ?? after;
  const currency = CURRENCIES.find(({ sign, code }) => sign === mark || code === mark);
  return currency === undefined ? null : { number, currency };
}

/** Removes the currency from the cells of a column; null unless all cells that are not empty have the same one. */
export function readAmounts(
  texts: readonly string[],
): { readonly numbers: readonly string[]; readonly sign: string } | null {
  const amounts = texts.map((text) => (text === '' ? '' : splitAmount(text)));
  const signs = new Set(
    amounts.map((amount) => (amount === '' ? '' : (amount?.currency.sign ?? null))),
  );
  signs.delete('');
  const [sign = null] = signs;
  if (signs.size !== 1 || sign === null) return null;
  return { numbers: amounts.map((amount) => (amount ? amount.number : '')), sign };
}

/** Whether a heading names prices. */
export function isPriceHeading(heading: string): boolean {
  return wordsOf(heading).some((word) => PRICE_WORDS.includes(word));
}

/**
 * Meanings of the phrases about prices. Amounts are read in the currency that the heading or the cells name; if they name none, in any
 * currency.
 *
 * @param sign The currency of the cells; empty without one.
 */
export function listPriceWords(heading: string, sign: string): ReadonlyMap<string, string> {
  const words = new Map<string, string>(PRICE_WORDS.map((word) => [word, 'column:price']));
  for (const phrase of ['wie viel kostet', 'wie viel kosten', 'combien coute', 'combien coutent']) {
    words.set(phrase, 'which+column:price');
  }
  for (const [meaning, list] of PHRASES) {
    for (const phrase of list.split(', ')) {
      for (const form of formsOf(phrase)) words.set(toPhrase(form), meaning);
    }
  }
  const named = CURRENCIES.filter(
    (currency) =>
      currency.sign === sign || wordsOf(heading).some((word) => currency.words.includes(word)),
  );
  for (const { words: units } of named.length > 0 ? named : CURRENCIES) {
    for (const unit of units) words.set(unit, 'unit:price');
  }
  return words;
}

function wordsOf(heading: string): string[] {
  return tokenize(heading.replaceAll('_', ' ')).map((token) => token.plain);
}
