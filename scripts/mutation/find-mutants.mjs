import { createHash } from 'node:crypto';
import ts from 'typescript';

/**
 * One small change of a source that a test has to notice.
 *
 * @typedef {object} Mutant
 * @property {string} file from the top of the repository
 * @property {number} line from 1
 * @property {number} start of what is replaced, in characters
 * @property {number} end
 * @property {string} code the line of the source, without the space around it
 * @property {string} change `before → after`
 * @property {string} replacement
 * @property {number} nth counts equal changes of equal lines in a file
 */

const { SyntaxKind: Kind } = ts;

/** Operators and what takes their place: boundary and opposite, never a synonym. @type {ReadonlyMap<ts.SyntaxKind, readonly string[]>} */
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

/** Methods without which their receiver is left as it is. */
const REMOVABLE = new Set(['trim', 'trimStart', 'trimEnd', 'slice', 'filter', 'reverse', 'sort']);

/** What is not looked into: types, what only names things, sentences of errors, style sheets. @param {ts.Node} node */
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

/** Operators of different kinds do not stand beside each other without brackets. @param {ts.Expression} node */
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
  // Brackets around a part of an optional chain would take its end away.
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

/** What decides: it can always be so, and never; a loop that never ends shows nothing. @param {ts.Expression} node @returns {string[]} */
function decide(node) {
  const { parent } = node;
  if (ts.isIfStatement(parent) && parent.expression === node) return ['true', 'false'];
  if (ts.isConditionalExpression(parent) && parent.condition === node) return ['true', 'false'];
  if (ts.isWhileStatement(parent) && parent.expression === node) return ['false'];
  if (ts.isForStatement(parent) && parent.condition === node) return ['false'];
  return [];
}

/** A call, alone in its statement, can be left out. @param {ts.Expression} node @returns {string[]} */
function leaveOut(node) {
  if (!ts.isExpressionStatement(node.parent)) return [];
  const inner = ts.isAwaitExpression(node) || ts.isVoidExpression(node) ? node.expression : node;
  return ts.isCallExpression(inner) && inner.expression.kind !== Kind.SuperKeyword
    ? ['undefined']
    : [];
}

/** @param {ts.Node} node @returns {string[]} */
function changesOf(node) {
  if (!ts.isExpression(node)) return [];
  const changes = [...decide(node), ...leaveOut(node)];
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

/** Something is assigned to it. @param {ts.Node} node */
const isTarget = ({ parent }) =>
  (ts.isBinaryExpression(parent) && parent.operatorToken.kind === Kind.EqualsToken) ||
  ts.isForOfStatement(parent);

/**
 * All changes that are tried in a source, in its order.
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
 * Draws some by chance that the seed decides. A change elsewhere in the sources leaves the others as they were drawn.
 *
 * @param {readonly Mutant[]} mutants
 * @param {{ seed: number, count: number }} options
 * @returns {Mutant[]} in the order of files and lines
 */
export function drawMutants(mutants, { seed, count }) {
  const lots = mutants.map((mutant) => {
    const { file, code, change, nth } = mutant;
    const lot = createHash('sha256').update(JSON.stringify([seed, file, code, change, nth]));
    return { mutant, lot: lot.digest('hex') };
  });
  lots.sort((left, right) => (left.lot < right.lot ? -1 : 1));
  const drawn = new Set(lots.slice(0, count).map(({ mutant }) => mutant));
  return mutants.filter((mutant) => drawn.has(mutant));
}

/**
 * Puts mutants into their source, each behind a switch: compiled once, any of them can be tried. Lines keep their numbers.
 *
 * @param {string} source
 * @param {ReadonlyMap<number, Mutant>} mutants of this source, by their number
 * @param {string} switchModule where `switch.mjs` lies
 */
export function plantMutants(source, mutants, switchModule) {
  const order = [...mutants].sort(
    ([, left], [, right]) => left.start - right.start || right.end - left.end,
  );
  /** @param {number} from @param {number} to @param {typeof order} within @returns {string} */
  const write = (from, to, within) => {
    const [first, ...rest] = within;
    if (!first) return source.slice(from, to);
    const [id, { start, end, replacement }] = first;
    const inside = rest.filter(([, each]) => each.start < end);
    const behind = rest.filter(([, each]) => each.start >= end);
    const original = write(start, end, inside);
    return `${source.slice(from, start)}($isOn(${String(id)}) ? (${replacement}) : (${original}))${write(end, to, behind)}`;
  };
  return `import { isOn as $isOn } from ${JSON.stringify(switchModule)}; ${write(0, source.length, order)}`;
}
