import { ToolError } from '../run/run-errors.js';

/** Finds an arithmetic expression in a question: numbers with at least one operator between them; null if there is none. */
export function findExpression(question: string): string | null {
  const plain = question
    .replaceAll(/\bplus\b/giu, '+')
    .replaceAll(/\bminus\b/giu, '-')
    .replaceAll(/\b(?:times|multiplied by)\b|[×·]/giu, '*')
    .replaceAll(/\b(?:divided by|over)\b|÷/giu, '/')
    .replaceAll(/\bto the power of\b|\*\*/giu, '^')
    .replaceAll(/(\d)\s*%\s*of\s*(?=\d)/giu, '$1/100*')
    .replaceAll(/\bsquare root of\b|√/giu, 'sqrt ');
  const found = /(?:sqrt|[-+(\d.])(?:sqrt|[-+*/^()\d.\s])*/giu;
  const candidates = (plain.match(found) ?? []).map((text) => text.trim());
  const best = candidates
    .filter((text) => /\d\s*\)*\s*[-+*/^]\s*\(*\s*(?:sqrt)?\s*[-(.\d]|sqrt\s*\(?\s*\d/u.test(text))
    .sort((one, other) => other.length - one.length)[0];
  // A date is not an expression.
  if (best === undefined || /^\d{4}-\d{2}-\d{2}/u.test(best)) return null;
  return best.replace(/[-+*/^(.\s]+$/u, '');
}

/** Evaluates an expression of numbers, `+ - * / ^`, parentheses and `sqrt`. Throws `ToolFailure`. */
export function evaluate(expression: string): number {
  const tokens = expression.match(/\d+(?:\.\d+)?|\.\d+|sqrt|[-+*/^()]|\S/gu) ?? [];
  if (tokens.length > 500) throw new ToolError('The expression is too long.');
  let at = 0;
  const next = (): string | undefined => tokens[at];
  const take = (): string => tokens[at++] ?? '';
  const sum = (depth: number): number => {
    let value = product(depth);
    while (next() === '+' || next() === '-') {
      value = take() === '+' ? value + product(depth) : value - product(depth);
    }
    return value;
  };
  const product = (depth: number): number => {
    let value = power(depth);
    while (next() === '*' || next() === '/') {
      if (take() === '*') value *= power(depth);
      else value = divide(value, power(depth));
    }
    return value;
  };
  const power = (depth: number): number => {
    if (depth > 60) throw new ToolError('The expression is nested too deeply.');
    if (next() === '-') return -skipped(() => power(depth + 1));
    if (next() === '+') return skipped(() => power(depth + 1));
    const base = atom(depth);
    return next() === '^' ? base ** skipped(() => power(depth + 1)) : base;
  };
  const skipped = (read: () => number): number => {
    take();
    return read();
  };
  const atom = (depth: number): number => {
    const token = take();
    if (/^[.\d]/u.test(token)) return Number(token);
    if (token === 'sqrt') return Math.sqrt(atom(depth + 1));
    if (token !== '(') throw new ToolError(`The expression cannot be read at "${token}".`);
    const value = sum(depth + 1);
    if (take() !== ')') throw new ToolError('A bracket is not closed.');
    return value;
  };
  const result = sum(0);
  if (at < tokens.length) throw new ToolError(`The expression cannot be read at "${take()}".`);
  if (!Number.isFinite(result)) throw new ToolError('The result is not a finite number.');
  return Number(result.toPrecision(12));
}

function divide(one: number, other: number): number {
  if (other === 0) throw new ToolError('Division by zero is not possible.');
  return one / other;
}
