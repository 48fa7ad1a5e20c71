import { createHash } from 'node:crypto';
import ts from 'typescript';

/**
 * One small change of a source with which a test has to fail.
 *
 * @typedef {object} Mutant
 * @property {string} file relative to the root of the repository
 * @property {number} line from 1
 * @property {number} start position of the replaced code in the source
 * @property {number} end position after the replaced code
 * @property {string} code the line of the source, trimmed
 * @property {string} change `before → after`
 * @property {string} replacement
 * @property {number} nth index among the equal changes of equal lines in the file
 */

const { SyntaxKind: Kind } = ts;

/**
 * Operators and their replacements: a changed boundary and the opposite, never an equivalent operator.
 *
 * @type {ReadonlyMap<ts.SyntaxKind, readonly string[]>}
 */
const OPERATORS = new Map([
  [Kind.EqualsEqualsEqualsToken, ['!==']],
  [Kind.ExclamationEqualsEqualsToken, ['===']],
  [Kind.EqualsEqualsToken, ['!=']],
  [Kind.ExclamationEqualsToken, ['==']],
  [Kind.LessThanToken, ['<=', '>=']],
  [Kind.LessThanEqualsToken, ['<', '>']],
  [Kind.GreaterThanToken, ['>=', '<=']],
  [Kind.GreaterThanEqualsToken, ['>', '<']],
  [Kind.PlusToken, ['-']],
  [Kind.MinusToken, ['+']],
  [Kind.AsteriskToken, ['/']],
  [Kind.SlashToken, ['*']],
  [Kind.PercentToken, ['*']],
  [Kind.AmpersandAmpersandToken, ['||']],
  [Kind.BarBarToken, ['&&']],
  [Kind.QuestionQuestionToken, ['&&']],
  [Kind.PlusEqualsToken, ['-=']],
  [Kind.MinusEqualsToken, ['+=']],
  [Kind.QuestionQuestionEqualsToken, ['&&=']],
  [Kind.BarBarEqualsToken, ['&&=']],
]);

/** Methods and their opposites. @type {ReadonlyMap<string, string>} */
const METHODS = new Map(
  [
    ['startsWith', 'endsWith'],
    ['some', 'every'],
    ['min', 'max'],
    ['toLowerCase', 'toUpperCase'],
    ['floor', 'ceil'],
  ].flatMap(([one = '', other = '']) => [
    [one, other],
    [other, one],
  ]),
);

/** Methods whose call can be replaced with their receiver. */
const REMOVABLE = new Set(['trim', 'trimStart', 'trimEnd', 'slice', 'filter', 'reverse', 'sort']);

/** Whether a node is not mutated: types, imports, error messages and style sheets. @param {ts.Node} node */
const isSkipped = (node) =>
  ts.isTypeNode(node) ||
  ts.isImportDeclaration(node) ||
  ts.isInterfaceDeclaration(node) ||
  ts.isTypeAliasDeclaration(node) ||
  ts.isThrowStatement(node) ||
  (ts.isNewExpression(node) && /Error$/.test(node.expression.getText())) ||
  (ts.isTaggedTemplateExpression(node) && node.tag.getText() === 'css');

/** @param {ts.Expression} node */
const isText = (node) => ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);

/** @param {ts.BinaryExpression} node @returns {string[]} */
function changeOperator({ left, right, operatorToken }) {
  if (operatorToken.kind === Kind.PlusToken && [left, right].some(isText)) return [];
  const others = OPERATORS.get(operatorToken.kind) ?? [];
  return others.map((other) => `${enclose(left)} ${other} ${enclose(right)}`);
}

/** Adds parentheses where the precedence of a replaced operator may differ. @param {ts.Expression} node */
const enclose = (node) =>
  ts.isBinaryExpression(node) || ts.isConditionalExpression(node) || ts.isArrowFunction(node)
    ? `(${node.getText()})`
    : node.getText();

/** @param {ts.PrefixUnaryExpression | ts.PostfixUnaryExpression} node @returns {string[]} */
function changeUnary(node) {
  const operand = node.operand.getText();
  switch (node.operator) {
    case Kind.ExclamationToken:
      return [operand];
    case Kind.MinusToken:
      return [`+${operand}`];
    case Kind.PlusPlusToken:
      return [ts.isPrefixUnaryExpression(node) ? `--${operand}` : `${operand}--`];
    case Kind.MinusMinusToken:
      return [ts.isPrefixUnaryExpression(node) ? `++${operand}` : `${operand}++`];
    default:
      return [];
  }
}

/** @param {ts.CallExpression} node @returns {string[]} */
function changeCall(node) {
  const { expression } = node;
  // Parentheses around a part of an optional chain would end the chain.
  if (!ts.isPropertyAccessExpression(expression) || node.flags & ts.NodeFlags.OptionalChain)
    return [];
  const receiver = expression.expression.getText();
  const name = expression.name.text;
  if (REMOVABLE.has(name)) return [receiver];
  const other = METHODS.get(name);
  return other
    ? [`${receiver}.${other}(${node.arguments.map((each) => each.getText()).join(', ')})`]
    : [];
}

/**
 * Replaces a condition by true and false, but the condition of a loop only by false, because the loop would not end.
 *
 * @param {ts.Expression} node
 * @returns {string[]}
 */
function changeCondition(node) {
  const { parent } = node;
  if (ts.isIfStatement(parent) && parent.expression === node) return ['true', 'false'];
  if (ts.isConditionalExpression(parent) && parent.condition === node) return ['true', 'false'];
  if (ts.isWhileStatement(parent) && parent.expression === node) return ['false'];
  if (ts.isForStatement(parent) && parent.condition === node) return ['false'];
  return [];
}

/** Removes a call that is a statement. @param {ts.Expression} node @returns {string[]} */
function removeCall(node) {
  if (!ts.isExpressionStatement(node.parent)) return [];
  const inner = ts.isAwaitExpression(node) || ts.isVoidExpression(node) ? node.expression : node;
  return ts.isCallExpression(inner) && inner.expression.kind !== Kind.SuperKeyword
    ? ['undefined']
    : [];
}

/** @param {ts.Node} node @returns {string[]} */
function changesOf(node) {
  if (!ts.isExpression(node)) return [];
  const changes = [...changeCondition(node), ...removeCall(node)];
  if (ts.isBinaryExpression(node)) changes.push(...changeOperator(node));
  else if (ts.isPrefixUnaryExpression(node) || ts.isPostfixUnaryExpression(node))
    changes.push(...changeUnary(node));
  else if (ts.isCallExpression(node)) changes.push(...changeCall(node));
  else if (node.kind === Kind.TrueKeyword) changes.push('false');
  else if (node.kind === Kind.FalseKeyword) changes.push('true');
  else if (ts.isArrayLiteralExpression(node) && node.elements.length > 0 && !isTarget(node))
    changes.push('[]');
  return [...new Set(changes)];
}

/** Whether an array is the target of an assignment or of a loop, or inside such a target. @param {ts.Node} node @returns {boolean} */
const isTarget = (node) => {
  const { parent } = node;
  if (ts.isBinaryExpression(parent) && parent.operatorToken.kind === Kind.EqualsToken) {
    // In a target, an assignment is an inner target with its default.
    return parent.left === node;
  }
  if (ts.isForOfStatement(parent)) return parent.initializer === node;
  return (
    (ts.isArrayLiteralExpression(parent) ||
      ts.isObjectLiteralExpression(parent) ||
      ts.isPropertyAssignment(parent) ||
      ts.isSpreadElement(parent) ||
      ts.isSpreadAssignment(parent)) &&
    isTarget(parent)
  );
};

/**
 * Returns all mutants of a source, in the order of the source.
 *
 * @param {string} file
 * @param {string} source
 * @returns {Mutant[]}
 */
export function findMutants(file, source) {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  const lines = source.split('\n');
  /** @type {Mutant[]} */
  const mutants = [];
  /** @type {Map<string, number>} */
  const seen = new Map();
  /** @param {ts.Node} node */
  const visit = (node) => {
    if (isSkipped(node)) return;
    for (const replacement of changesOf(node)) {
      const start = node.getStart();
      const line = tree.getLineAndCharacterOfPosition(start).line + 1;
      const code = (lines[line - 1] ?? '').trim();
      const change = `${shorten(node.getText())} → ${shorten(replacement)}`;
      const nth = seen.get(`${code} ${change}`) ?? 0;
      seen.set(`${code} ${change}`, nth + 1);
      mutants.push({ file, line, start, end: node.getEnd(), code, change, replacement, nth });
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return mutants;
}

/** @param {string} text */
const shorten = (text) => {
  const flat = text.replace(/\s+/g, ' ');
  return flat.length > 80 ? `${flat.slice(0, 79)}…` : flat;
};

/**
 * Returns a pseudorandom sample for a seed. The rank of a mutant depends on itself only, so that a change of other code hardly changes the
 * sample.
 *
 * @param {readonly Mutant[]} mutants
 * @param {{ seed: number, count: number }} options
 * @returns {Mutant[]} in the order of files and lines
 */
export function sampleMutants(mutants, { seed, count }) {
  const ranked = mutants.map((mutant) => {
    const { file, code, change, nth } = mutant;
    const hash = createHash('sha256').update(JSON.stringify([seed, file, code, change, nth]));
    return { mutant, rank: hash.digest('hex') };
  });
  ranked.sort((left, right) => (left.rank < right.rank ? -1 : 1));
  const sample = new Set(ranked.slice(0, count).map(({ mutant }) => mutant));
  return mutants.filter((mutant) => sample.has(mutant));
}

/**
 * Inserts mutants into their source, each behind a switch, so that the source is compiled once for all mutants. Line numbers do not
 * change.
 *
 * @param {string} source
 * @param {ReadonlyMap<number, Mutant>} mutants mutants of this source, by number
 * @param {string} switchModule path of `switch.mjs`
 */
export function insertMutants(source, mutants, switchModule) {
  const order = [...mutants].sort(
    ([, left], [, right]) => left.start - right.start || right.end - left.end,
  );
  /** @param {number} from @param {number} to @param {typeof order} within @returns {string} */
  const write = (from, to, within) => {
    const [first, ...rest] = within;
    if (!first) return source.slice(from, to);
    const [id, { start, end, replacement }] = first;
    const inside = rest.filter(([, each]) => each.start < end);
    const following = rest.filter(([, each]) => each.start >= end);
    const original = write(start, end, inside);
    return `${source.slice(from, start)}($isActive(${String(id)}) ? (${replacement}) : (${original}))${write(end, to, following)}`;
  };
  return `import { isActive as $isActive } from ${JSON.stringify(switchModule)}; ${write(0, source.length, order)}`;
}
