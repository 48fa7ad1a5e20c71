import { Parser } from 'expr-eval-fork';
import { numberWordsOf } from '../query/number-words.js';
import { ToolError } from '../run/run-errors.js';
import { readNumber, tokenize, toPhrase, type Token } from '../query/tokens.js';
import type { ReadLanguage } from '../query/vocabulary.js';

/** A question as a calculation. */
export type ArithmeticReading =
  | { readonly kind: 'expression'; readonly expression: string; readonly language: ReadLanguage }
  /** The question asks for a calculation, and parts of the question were not understood. */
  | { readonly kind: 'unclear'; readonly parts: readonly string[] };

/** Phrases by their sign in an expression. Those with an empty sign are ignored; those of `request` ask for a calculation. */
type Words = readonly (readonly [sign: string, phrases: string])[];

const SIGNS: Words = [
  ['+', '+'],
  ['-', '-, −'],
  ['*', '*, ×, x'],
  ['/', '/, ÷'],
  ['^', '^, **'],
  ['(', '('],
  [')', ')'],
  ['%', '%'],
  ['sqrt', '√'],
  ['', '='],
];

const WORDS: Readonly<Record<ReadLanguage, Words>> = {
  en: [
    [
      'request',
      'what is, what s, whats, what does, how many is, how many are, how much is, how much are, calculate, compute, work out, evaluate, what do you get for',
    ],
    [
      '',
      'please, equal, equals, make, the result of, result of, the, a, me, can you, could you, tell me, and what is',
    ],
    ['+', 'plus, added to'],
    ['-', 'minus'],
    ['*', 'times, multiplied by, multiplied with'],
    ['/', 'divided by, over'],
    ['^', 'to the power of, to the power'],
    ['^2', 'squared'],
    ['^3', 'cubed'],
    ['sqrt', 'square root of, sqrt, the square root of, root of'],
    ['%', 'percent, per cent'],
    ['of', 'of'],
    ['half', 'half of, half'],
    ['sum', 'sum of, the sum of'],
    ['product', 'product of, the product of'],
    ['and', 'and'],
    ['one', 'one'],
  ],
  de: [
    [
      'request',
      'was ist, wie viel ist, wieviel ist, wie viel sind, wieviel sind, was ergibt, wie viel ergibt, berechne, rechne, was macht, wie viel macht',
    ],
    [
      '',
      'bitte, gleich, ist gleich, das Ergebnis von, Ergebnis von, mir, aus, die, der, das, ein, ergibt, macht',
    ],
    ['+', 'plus'],
    ['-', 'minus'],
    ['*', 'mal, multipliziert mit'],
    ['/', 'geteilt durch, dividiert durch, durch'],
    ['^', 'hoch'],
    ['^2', 'zum Quadrat, quadriert'],
    ['sqrt', 'Wurzel aus, Quadratwurzel aus, Quadratwurzel von, Wurzel von, die Wurzel aus'],
    ['%', 'Prozent'],
    ['of', 'von'],
    ['half', 'Hälfte von, die Hälfte von'],
    ['sum', 'Summe von, die Summe von, Summe aus, die Summe aus'],
    ['product', 'Produkt von, das Produkt von, Produkt aus, das Produkt aus'],
    ['and', 'und'],
    ['one', 'eins'],
  ],
  fr: [
    [
      'request',
      'combien font, combien fait, combien vaut, combien valent, calcule, calculez, quel est le résultat de, que vaut, que font, quelle est, quel est, combien est ce que font',
    ],
    ['', 'le, la, les, s il te plaît, s il vous plaît, égal, égale, moi, est'],
    ['+', 'plus'],
    ['-', 'moins'],
    ['*', 'fois, multiplié par, multipliés par'],
    ['/', 'divisé par, divisés par'],
    ['^', 'puissance, à la puissance'],
    ['^2', 'au carré'],
    ['^3', 'au cube'],
    ['sqrt', 'racine carrée de, racine de, la racine carrée de'],
    ['%', 'pour cent, pourcent'],
    ['of', 'de, d'],
    ['half', 'moitié de, la moitié de'],
    ['sum', 'somme de, la somme de'],
    ['product', 'produit de, le produit de'],
    ['and', 'et'],
    ['one', 'un'],
  ],
};

const MULTIPLIERS: Readonly<Record<ReadLanguage, Words>> = {
  en: [
    ['1000', 'thousand'],
    ['1000000', 'million'],
  ],
  de: [
    ['1000', 'tausend'],
    ['1000000', 'Million, Millionen'],
  ],
  fr: [
    ['1000', 'mille'],
    ['1000000', 'million, millions'],
  ],
};

/** Number of words of the longest phrase that is looked up. */
const LONGEST_PHRASE = 6;

/** Maximum number of tokens of a calculation, because the evaluation is recursive. */
const MAX_TOKENS = 300;

interface Part {
  readonly sign: string;
  readonly number: number | null;
}

/**
 * Reads a question as a calculation; null when it is not one. If it has words that do not belong to a calculation, the result is `unclear` or
 * null.
 */
export function readArithmetic(question: string): ArithmeticReading | null {
  // A date is not a subtraction.
  if (/\d{4}-\d{2}-\d{2}/u.test(question)) return null;
  const tokens = tokenize(question.replaceAll(/√/gu, ' √ '));
  if (tokens.length > MAX_TOKENS) return null;
  const readings = (['en', 'de', 'fr'] as const).map((language) => readIn(language, tokens));
  const best = readings.reduce((one, other) =>
    other.unknown.length < one.unknown.length ? other : one,
  );
  const { parts, unknown, language } = best;
  const numbers = parts.filter((part) => part.number !== null).length;
  const isCalculated = parts.some((part) =>
    /^(?:[-+*/%]|\^.*|sqrt|half|sum|product)$/u.test(part.sign),
  );
  if (numbers === 0 || !isCalculated) return null;
  if (unknown.length > 0) {
    const isRequest = parts.some((part) => part.sign === 'request') && unknown.length <= 2;
    return isRequest && numbers > 1 ? { kind: 'unclear', parts: unknown } : null;
  }
  const expression = writeExpression(parts);
  // `writeExpression` writes `?` for an "and" or "of" that belongs to no sum, product or percentage.
  return expression.includes('?') ? null : { kind: 'expression', expression, language };
}

function readIn(
  language: ReadLanguage,
  tokens: readonly Token[],
): {
  readonly language: ReadLanguage;
  readonly parts: readonly Part[];
  readonly unknown: readonly string[];
} {
  const parts: Part[] = [];
  const unknown: string[] = [];
  let from = 0;
  while (from < tokens.length) {
    const found = readPart(language, tokens, from);
    if (found === null) unknown.push(tokens[from]?.text ?? '');
    else addPart(parts, found.part);
    from = found?.to ?? from + 1;
  }
  return { language, parts, unknown };
}

/**
 * Adds a part; "two million" and "two thousand five" become one number. A multiplier such as "million" has the sign `factor`, a number that
 * contains one has the sign `scaled`.
 */
function addPart(parts: Part[], part: Part): void {
  const last = parts.at(-1);
  if (part.sign === 'factor' && part.number !== null) {
    const factor = last?.number ?? null;
    if (factor !== null) parts.pop();
    parts.push({ sign: 'scaled', number: (factor ?? 1) * part.number });
  } else if (part.number !== null && last?.sign === 'scaled') {
    parts.pop();
    parts.push({ sign: 'scaled', number: (last.number ?? 0) + part.number });
  } else if (part.sign !== '' || part.number !== null) {
    parts.push(part);
  }
}

function readPart(
  language: ReadLanguage,
  tokens: readonly Token[],
  from: number,
): { readonly part: Part; readonly to: number } | null {
  const first = tokens[from];
  if (first?.isNumber === true) {
    const number = readNumber(first.text, language === 'en' ? 'point' : 'comma');
    return number === null ? null : { part: { sign: '', number }, to: from + 1 };
  }
  for (let length = Math.min(LONGEST_PHRASE, tokens.length - from); length > 0; length -= 1) {
    const words = tokens.slice(from, from + length).map((token) => token.plain);
    const part = PHRASES[language].get(words.join(' '));
    if (part !== undefined) return { part, to: from + length };
  }
  return null;
}

function compile(language: ReadLanguage): ReadonlyMap<string, Part> {
  const phrases = new Map<string, Part>();
  for (const [words, number] of numberWordsOf(language)) phrases.set(words, { sign: '', number });
  for (const [sign, list] of [...WORDS[language], ...SIGNS]) {
    for (const phrase of list.split(', ')) {
      phrases.set(toPhrase(phrase) || phrase, { sign, number: sign === 'one' ? 1 : null });
    }
  }
  for (const [factor, list] of MULTIPLIERS[language]) {
    for (const phrase of list.split(', ')) {
      phrases.set(toPhrase(phrase), { sign: 'factor', number: Number(factor) });
    }
  }
  return phrases;
}

const PHRASES: Readonly<Record<ReadLanguage, ReadonlyMap<string, Part>>> = {
  en: compile('en'),
  de: compile('de'),
  fr: compile('fr'),
};

function writeExpression(parts: readonly Part[]): string {
  const written: string[] = [];
  let and = '';
  for (const [index, part] of parts.entries()) {
    if (part.number !== null) written.push(printOperand(part.number));
    else if (part.sign === 'sum' || part.sign === 'product') and = part.sign === 'sum' ? '+' : '*';
    else if (part.sign === 'and') written.push(and === '' ? '?' : and);
    else if (part.sign === 'half') written.push('0.5', '*');
    else if (part.sign === 'of') written.push(...(written.at(-1) === '%' ? [] : ['?']));
    else if (part.sign.startsWith('^') && part.sign !== '^') written.push('^', part.sign.slice(1));
    else if (part.sign !== 'request') written.push(part.sign);
    // A percent sign is kept until the next part is known: before "of", it becomes `/ 100 *`.
    if (part.sign === '%' || (part.sign === 'of' && written.at(-1) === '%')) {
      const isOf = parts[index + 1]?.sign === 'of';
      if (part.sign === 'of') written.splice(-1, 1, '/', '100', '*');
      else if (!isOf) writePercent(written);
    }
  }
  return wrapRoots(written)
    .join(' ')
    .replaceAll('( ', '(')
    .replaceAll(' )', ')')
    .replaceAll(' ^ ', '^');
}

/** "100 + 10%" adds ten percent of what is before it; any other percentage is a hundredth of its number. */
function writePercent(written: string[]): void {
  written.pop();
  const number = written.pop() ?? '';
  const sign = written.at(-1);
  const isOpen =
    written.filter((each) => each === '(').length !== written.filter((each) => each === ')').length;
  if ((sign === '+' || sign === '-') && written.length > 1 && !isOpen) {
    written.pop();
    const before = written.splice(0);
    written.push('(', ...before, ')', '*', '(', '1', sign, number, '/', '100', ')');
  } else {
    written.push('(', number, '/', '100', ')');
  }
}

/** Writes the argument of each root in parentheses, because `sqrt` is a function. */
function wrapRoots(written: readonly string[]): string[] {
  const wrapped: string[] = [];
  for (const [index, each] of written.entries()) {
    const isArgument = written[index - 1] === 'sqrt' && each !== '(';
    if (each === 'sqrt') continue;
    if (isArgument) wrapped.push(`sqrt(${each})`);
    else if (written[index - 1] === 'sqrt') wrapped.push('sqrt(');
    else wrapped.push(each);
  }
  return wrapped;
}

function printOperand(number: number): string {
  return number.toLocaleString('en-US', { useGrouping: false, maximumFractionDigits: 20 });
}

/** Matches a text that consists of the tokens of expressions; whether it is a valid one, the parser decides. */
const EXPRESSION = /^(?:\d+(?:\.\d+)?|\.\d+|sqrt|[-+*/^()\s])*$/u;

const LONGEST_EXPRESSION = 2000;

const PARSER = new Parser();

/** Evaluates an expression of numbers, `+ - * / ^`, parentheses and `sqrt`. Throws a `ToolError` if it is invalid or has no finite result. */
export function evaluate(expression: string): number {
  if (expression.length > LONGEST_EXPRESSION) throw new ToolError('The expression is too long.');
  if (!EXPRESSION.test(expression)) {
    throw new ToolError(
      'The expression has something other than numbers and the signs + - * / ^ ( ) sqrt.',
    );
  }
  let value: unknown;
  try {
    value = PARSER.evaluate(expression);
  } catch {
    throw new ToolError('The expression is incomplete.');
  }
  if (typeof value !== 'number' || !Number.isFinite(value)) {
    throw new ToolError(
      /\/\s*0(?![\d.])/u.test(expression)
        ? 'Division by zero is not possible.'
        : 'The result is not a finite number.',
    );
  }
  // Twelve digits hide the error of binary fractions.
  return Number(value.toPrecision(12));
}
