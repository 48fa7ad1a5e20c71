import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseContent } from '../../../../src/backends/ubik/content/content-parser.js';
import type { PartTree } from '../../../../src/model/part.js';
import { printParts } from './content-fixtures.js';
import { setupParser } from './read-pieces.js';

// The rules in the titles are those of the UBIK protocol, section 7.2.

/** Prints each part on one line: kind, main fields, children. */
function summarize(text: string): string[] {
  return parseContent(text).map(summarizePart);
}

function summarizePart(part: ReturnType<typeof parseContent>[number]): string {
  const inside = (part.parts ?? []).map(summarizePart).join(', ');
  const text = part.text === undefined ? '' : ` ${JSON.stringify(part.text)}`;
  switch (part.kind) {
    case 'step':
      return `step ${part.number ?? '?'} ${part.title} ${part.state} [${inside}]`;
    case 'tool':
      return `tool ${part.name}:${part.toolId} ${part.state} ${part.input} ${part.result} [${inside}]`;
    case 'checkpoint':
      return `checkpoint ${part.name}${text}`;
    case 'input-request':
      return `request ${part.prompt} (${part.inputTypes.join()}) ${part.checkpointName} ${part.answer}`;
    case 'error':
      return `error ${part.message} ${part.details}`;
    default:
      return `${part.kind}${text}`;
  }
}

const RESULT = '<<TOOL_STEP_RESULT_START>>';
const RESULT_END = '<<TOOL_STEP_RESULT_END>>';
const INPUT = '<<TOOL_STEP_INPUT_START>>';
const INPUT_END = '<<TOOL_STEP_INPUT_END>>';
const start = (label: string): string => `<<TOOL_STEP_START/${label}>>`;
const end = (label: string): string => `<<TOOL_STEP_END/${label}>>`;
const result = (raw: string): string => `${RESULT}${raw}${RESULT_END}`;
const input = (raw: string): string => `${INPUT}${raw}${INPUT_END}`;

test('content parser, rule 1: only the exact spelling is a tag', () => {
  const text =
    'cat <<EOF, a << b, <<step_start>>, <<STEP_START>, <<Tool_Step_End/a>>, <<<<<<< HEAD';
  assert.deepEqual(summarize(text), [`text ${JSON.stringify(text)}`]);
});

test('content parser, rule 1: thinking tags match in any letter case', () => {
  assert.deepEqual(summarize('<<ThInKiNg>>a<</THINKING>>b'), ['thinking "a"', 'text "b"']);
});

test('content parser, rule 1: a tag may follow an extra bracket', () => {
  assert.deepEqual(summarize('a <<<thinking>>b'), ['text "a <"', 'thinking "b"']);
});

test('content parser, rule 2: only the beginning of a tag is withheld', () => {
  const { parser, trees } = setupParser('live');
  const emitted = (): string => trees()[0]?.text ?? '';
  const pieces = [
    ['Hello <', 'Hello '],
    ['<thinkin', 'Hello '],
    ['!', 'Hello <<thinkin!'],
    ['\n', 'Hello <<thinkin!'],
    [' ', 'Hello <<thinkin!'],
    ['a', 'Hello <<thinkin!\n a'],
    ['<<TOOL_STEP_START/b>', 'Hello <<thinkin!\n a'],
    [' ', 'Hello <<thinkin!\n a'],
    ['<<', 'Hello <<thinkin!\n a<<TOOL_STEP_START/b> '],
  ] as const;
  for (const [piece, expected] of pieces) {
    parser.push(piece);
    assert.equal(emitted(), expected);
  }
});

test('content parser, rule 2: withheld text is emitted at the end', () => {
  assert.deepEqual(summarize('a <<STEP_STA'), ['text "a <<STEP_STA"']);
});

test('content parser, rule 2: a tool tag is text after a line break, another tag or 512 code units', () => {
  assert.deepEqual(summarize(`${start('a').slice(0, -2)}\n>>`), [
    'text "<<TOOL_STEP_START/a\\n>>"',
  ]);
  assert.deepEqual(summarize('<<TOOL_STEP_START/a<<thinking>>b'), [
    'text "<<TOOL_STEP_START/a"',
    'thinking "b"',
  ]);
  const longest = 'n'.repeat(512 - start('').length);
  assert.deepEqual(summarize(start(longest)), [`tool ${longest}: incomplete null null []`]);
  assert.deepEqual(summarize(start(`${longest}n`)), [`text "${start(`${longest}n`)}"`]);
});

test('content parser, rule 3: name and id are split at the last colon', () => {
  assert.deepEqual(summarize(`${start('mcp:files/read:call:9')}${start('plain')}${start('a:')}`), [
    'tool mcp:files/read:call:9 incomplete null null []',
    'tool plain: incomplete null null []',
    'tool a: incomplete null null []',
  ]);
  const [tool] = parseContent(start('mcp:files/read:call_9'));
  assert.ok(tool?.kind === 'tool' && tool.name === 'mcp:files/read' && tool.toolId === 'call_9');
});

test('content parser, rule 4: only its own end tag is a tag in a raw zone', () => {
  const raw = `{"a": "<<STEP_END>> <<thinking>> ${INPUT_END}"}`;
  assert.deepEqual(summarize(start('a') + result(raw) + end('a')), [`tool a: done null ${raw} []`]);
});

test('content parser, rule 4: an end tag inside a JSON string is content', () => {
  const raw = `{"a": "${RESULT_END} and ${RESULT_END}", "b": [1]}`;
  assert.deepEqual(summarize(start('a') + result(raw) + end('a')), [`tool a: done null ${raw} []`]);
});

test('content parser, rule 4: the shortest text that is valid JSON is used', () => {
  assert.deepEqual(summarize(`${start('a')}${result('"x"')}y"${RESULT_END}${end('a')}`), [
    'tool a: done null "x" []',
    'text "y\\""',
  ]);
});

test('content parser, rule 4: the first end tag counts when no later one before the end of the tool completes the JSON', () => {
  assert.deepEqual(summarize(`${start('a')}${result('"x')}${end('a')}"${RESULT_END}`), [
    'tool a: done null "x []',
    'text "\\""',
  ]);
  assert.deepEqual(summarize(`${start('a')}${result('"x')}\n"${RESULT_END}`), [
    'tool a: incomplete null "x []',
    'text "\\""',
  ]);
});

test('content parser, rule 4: complete JSON without an end tag ends with its tool', () => {
  assert.deepEqual(summarize(`${start('a:1')}${RESULT}\n{"b": 1}\n${end('a:1')}c`), [
    'tool a:1 done null {"b": 1} []',
    'text "c"',
  ]);
});

test('content parser, rule 4: a raw zone without an end keeps all of its text', () => {
  assert.deepEqual(summarize(`${start('a')}${INPUT}{"b": "<<TOOL_`), [
    'tool a: incomplete {"b": "<<TOOL_ null []',
  ]);
});

test('content parser, rule 5: a result that is not JSON is kept verbatim, without the white space around it', () => {
  for (const raw of ['plain words', '<xml a="1">', "{'ok': True}", '{"a": 1,}', '']) {
    assert.deepEqual(summarize(start('a') + result(`\n ${raw}\n\n`) + end('a')), [
      `tool a: done null ${raw} []`,
    ]);
  }
});

test('content parser, rule 6: an end tag closes the open tool with its id', () => {
  assert.deepEqual(summarize(`${start('a:1')}${start('a:2')}<<STEP_START>>${end('a:1')}`), [
    'tool a:1 done null null []',
    'tool a:2 incomplete null null []',
    'step ?  open-ended []',
  ]);
});

test('content parser, rule 6: an end tag of an unknown id closes the newest open tool of its name, or the newest', () => {
  assert.deepEqual(
    summarize(`${start('a:1')}${start('b:2')}${start('a:3')}${end('b:9')}${end('c:8')}`),
    [
      'tool a:1 incomplete null null []',
      'tool b:2 done null null []',
      'tool a:3 done null null []',
    ],
  );
});

test('content parser, rule 6: an end without an open tool is dropped', () => {
  assert.deepEqual(summarize(`a${end('b:1')}c`), ['text "a\\nc"']);
});

test('content parser, rule 6: an input or result belongs to the newest open tool without one', () => {
  const text = `${start('a:1')}${start('b:2')}${input('2')}${input('1')}${result('20')}${result('10')}`;
  assert.deepEqual(summarize(text), ['tool a:1 incomplete 1 10 []', 'tool b:2 incomplete 2 20 []']);
});

test('content parser, rule 6: an input or result without an open tool creates a tool', () => {
  assert.deepEqual(summarize(`${input('1')}${result('2')}a${result('3')}b`), [
    'tool : done 1 2 []',
    'text "a"',
    'tool : done null 3 []',
    'text "b"',
  ]);
});

test('content parser makes content between the start tag and the result of a tool its child', () => {
  assert.deepEqual(
    summarize(`${start('a')}b${input('1')}<<thinking>>c<</thinking>>d${result('2')}e${end('a')}f`),
    ['tool a: done 1 2 [text "b", thinking "c", text "d"]', 'text "e\\nf"'],
  );
});

test('content parser keeps at most 64 tools open', () => {
  const text = Array.from({ length: 65 }, (_item, index) => start(`a:${index}`)).join('');
  const states = parseContent(text + end('a:0')).map((part) => 'state' in part && part.state);
  assert.equal(states.filter((state) => state === 'done').length, 1);
  assert.equal(states[0], 'incomplete');
});

test('content parser, rule 7: the end of a step closes all open parts in it', () => {
  assert.deepEqual(summarize(`<<STEP_START>>${start('a')}<<thinking>>b<<STEP_END>>c`), [
    'step ?  completed [tool a: incomplete null null [thinking "b"]]',
    'text "c"',
  ]);
});

test('content parser, rule 7: a tool ends with its step, even when its result follows', () => {
  const text = `<<STEP_START>>${start('a:1')}<<STEP_END>>${result('2')}${end('a:1')}`;
  assert.deepEqual(summarize(text), [
    'step ?  completed [tool a:1 incomplete null null []]',
    'tool : done null 2 []',
  ]);
});

test('content parser, rule 7: the start of a step ends the step before', () => {
  assert.deepEqual(summarize('<<STEP_START>>a<<STEP_START>>b'), [
    'step ?  completed [text "a"]',
    'step ?  open-ended [text "b"]',
  ]);
});

test('content parser, rule 7: structural tags close a thinking part', () => {
  for (const tag of ['<<CHECKPOINT_START>>', '<<INPUT_REQUIRED_START>>', '<<ERROR_START>>']) {
    assert.equal(summarize(`<<thinking>>a${tag}b`)[0], 'thinking "a"');
  }
});

test('content parser, rule 7: the end of the text closes all parts', () => {
  const { parser, trees } = setupParser('stored');
  parser.push(`<<STEP_START>>\nStep 1: a\n${start('b')}<<thinking>>c`);
  assert.match(printParts(trees()), /running[^]*running[^]*open/);
  parser.end();
  assert.match(printParts(trees()), /open-ended[^]*incomplete[^]*closed/);
});

test('content parser, rule 7: stray end tags are dropped', () => {
  const strays = `<<STEP_END>>\n<<CHECKPOINT_END>>\n<<INPUT_REQUIRED_END>>\n${RESULT_END}\n<<ERROR_END>>`;
  assert.deepEqual(summarize(`a\n${strays}\nb`), ['text "a\\nb"']);
});

test('content parser, rule 8: a second opening tag closes a thinking part, and a closing tag without one is dropped', () => {
  assert.deepEqual(summarize('<<thinking>>a<<thinking>>b<</thinking>>c'), [
    'thinking "a"',
    'text "b\\nc"',
  ]);
});

test('content parser, rule 9: the header of a step is read in English and French', () => {
  const headers = [
    ['Step 1: Look', 'step 1 Look open-ended []'],
    ['Step 12: Look ✓', 'step 12 Look completed []'],
    ['  Étape 3 : Chercher ✓', 'step 3 Chercher completed []'],
    ['Étape\u00a04\u202f: Chercher', 'step 4 Chercher open-ended []'],
    ['Step 5:', 'step 5  open-ended []'],
    ['Step 6: `<<thinking>>` ✓', 'step 6 `<<thinking>>` completed []'],
  ] as const;
  for (const [line, expected] of headers) {
    assert.deepEqual(summarize(`<<STEP_START>>\n\n${line}\n<<STEP_END>>`), [expected]);
  }
});

test('content parser, rule 9: a first line that is not a header is part of the text', () => {
  assert.deepEqual(
    summarize('<<STEP_START>>\nSteps: 1\nStep 2: not the first line\n<<STEP_END>>'),
    ['step ?  completed [text "Steps: 1\\nStep 2: not the first line"]'],
  );
});

test('content parser, rule 9: a long first line that is not a header is emitted before it ends', () => {
  const { parser, trees } = setupParser('stored');
  parser.push(`<<STEP_START>>${'word '.repeat(20)}`);
  assert.equal(trees()[0]?.parts?.[0]?.text, 'word '.repeat(20));
});

function readStep(body: string): PartTree & { readonly kind: 'step' } {
  const [step] = parseContent(`<<STEP_START>>\n${body}\n<<STEP_END>>`);
  assert.ok(step?.kind === 'step');
  return step;
}

test('content parser, rule 9: a tag outside code ends the header of a step', () => {
  const cut = readStep('Step 1: a<<thinking>>b');
  assert.deepEqual([cut.title, cut.parts?.[0]?.kind, cut.parts?.[0]?.text], ['a', 'thinking', 'b']);
  assert.equal(readStep('Step 2: `<<thinking>>` b').title, '`<<thinking>>` b');
});

test('content parser, rule 9: a line of more than 4,096 code units is not a header', () => {
  const [long = '', longer = ''] = [4000, 5000].map((length) => 'a'.repeat(length));
  assert.equal(readStep(`Step 1: ${long}`).title, long);
  const step = readStep(`Step 1: ${longer}`);
  assert.deepEqual([step.number, step.parts?.[0]?.text], [null, `Step 1: ${longer}`]);
});

test('content parser, rule 10: the flag marks its step from any position in it', () => {
  for (const body of [
    '\n<<SINGLE_STEP_FLAG>>\nStep 1: a ✓\nb',
    '\nStep 1: a ✓\nb<<SINGLE_STEP_FLAG>>',
  ]) {
    const [step] = parseContent(`<<STEP_START>>${body}\n<<STEP_END>>`);
    assert.ok(step?.kind === 'step' && step.single && step.number === 1);
  }
});

test('content parser, rule 11: a checkpoint has its name and the rest of its text', () => {
  assert.deepEqual(
    summarize(
      '<<CHECKPOINT_START>>\nDone so far.\n Checkpoint:  one two \nCheckpoint: b\n<<CHECKPOINT_END>>',
    ),
    ['checkpoint one two "Done so far.\\nCheckpoint: b"'],
  );
});

test('content parser, rule 11: an error in a checkpoint moves to the end of the message', () => {
  assert.deepEqual(
    summarize(
      '<<CHECKPOINT_START>>\nCheckpoint: a\n<<ERROR_START>>\nError: b\n<<ERROR_END>>\n<<CHECKPOINT_END>>\nc',
    ),
    ['checkpoint a', 'text "c"', 'error b null'],
  );
});

test('content parser, rule 12: the labels of a request are read from its last lines only', () => {
  const lines = [
    'Expected input types: are explained below',
    '',
    'checkpoint_name: is no label here',
    'Which?',
    'checkpoint_name: wait',
    'Expected input types: text,json , file',
    '',
  ];
  assert.deepEqual(
    summarize(`<<INPUT_REQUIRED_START>>\n${lines.join('\n')}<<INPUT_REQUIRED_END>>`),
    [`request ${lines.slice(0, 4).join('\n')} (text,json,file) wait null`],
  );
});

test('content parser, rule 13: the answer may be inside a request or after it', () => {
  const answer = '<<USER_INPUT_PROVIDED_START>>\n{"input": 1}\n<<USER_INPUT_PROVIDED_END>>';
  const request = '<<INPUT_REQUIRED_START>>\nWhich?\nExpected input types: text\n';
  const expected = ['request Which? (text) null {"input": 1}'];
  assert.deepEqual(summarize(`${request}${answer}\n<<INPUT_REQUIRED_END>>`), expected);
  assert.deepEqual(summarize(`${request}<<INPUT_REQUIRED_END>>\n${answer}`), expected);
});

test('content parser, rule 14: details belong to the error directly before them', () => {
  const error = '<<ERROR_START>>\nError: a\n<<ERROR_END>>';
  const details = '<<ERROR_JSON_START>>\n{"error": "b"}\n<<ERROR_JSON_END>>';
  assert.deepEqual(summarize(`${error}\n\n${details}`), ['error a {"error": "b"}']);
  assert.deepEqual(summarize(`${error}\nc\n${details}`), [
    'text "c"',
    'error a null',
    'error b {"error": "b"}',
  ]);
  assert.deepEqual(summarize(details), ['error b {"error": "b"}']);
});

test('content parser, rule 14: equal errors are shown once', () => {
  const error = '<<ERROR_START>>\nError: a\n<<ERROR_END>>';
  assert.deepEqual(summarize(`${error}b${error}<<ERROR_JSON_START>>{}<<ERROR_JSON_END>>${error}`), [
    'text "b"',
    'error a {}',
  ]);
});

test('content parser, rule 15: a temporary tag is dropped, with its content when it has an end', () => {
  assert.deepEqual(
    summarize('a\n<<TOOL_EVENT_START/x:1>>\n{"b": 1}<<thinking>>\n<<TOOL_EVENT_END>>\nc'),
    ['text "a\\nc"'],
  );
  assert.deepEqual(summarize('a\n<<TOOL_EVENT_START>>\nb'), ['text "a\\nb"']);
  assert.deepEqual(summarize(`a<<TOOL_EVENT_START>>${'b'.repeat(4097)}<<TOOL_EVENT_END>>c`), [
    `text "a\\n${'b'.repeat(4097)}\\nc"`,
  ]);
});

test('content parser, rule 16: one line break on each side belongs to the tag', () => {
  assert.deepEqual(summarize('a\n\n<<thinking>>\n\n  b\n\n<</thinking>>\n\nc\n'), [
    'text "a\\n"',
    'thinking "\\n  b\\n"',
    'text "\\nc\\n"',
  ]);
});

test('content parser, rule 16: white space between tags is not a text part', () => {
  assert.deepEqual(
    summarize(' \n<<thinking>>\n\n<</thinking>> \n\t\n<<thinking>>a<</thinking>>\n\n'),
    ['thinking', 'thinking "a"'],
  );
});

test('content parser, rule 17: parsers of different texts share no state', () => {
  const main = setupParser('live');
  const step = setupParser('live');
  main.parser.push('a <<thin');
  step.parser.push('king>> b');
  main.parser.push('king>> c');
  assert.deepEqual(main.trees().map(summarizePart), ['text "a "', 'thinking " c"']);
  assert.deepEqual(step.trees().map(summarizePart), ['text "king>> b"']);
});

test('content parser replaces private-use characters that would forge a mark', () => {
  assert.deepEqual(summarize('a\uE0001\uE001<<thinking>>\uE000'), [
    'text "a\uFFFD1\uFFFD"',
    'thinking "\uFFFD"',
  ]);
});

test('content parser accepts names such as __proto__', () => {
  const text = `${start('__proto__:constructor')}${start('a:__proto__')}<<CHECKPOINT_START>>Checkpoint: __proto__`;
  assert.deepEqual(
    parseContent(text).map((part) => part.key),
    ['tool:constructor', 'tool:__proto__', 'checkpoint:__proto__'],
  );
});
