import assert from 'node:assert/strict';
import { test } from 'node:test';
import type {
  Construct,
  ConstructDecision,
  ConstructResolver,
} from '../../../../src/backends/ubik/content/content-parser-types.js';
import { readPieces, setupParser } from './read-pieces.js';

interface RecordingResolver extends ConstructResolver {
  readonly constructs: Construct[];
}

function createResolver(decision: ConstructDecision): RecordingResolver {
  const constructs: Construct[] = [];
  return {
    constructs,
    resolve: (construct) => {
      constructs.push(construct);
      return decision;
    },
  };
}

const CHECKPOINT = '<<CHECKPOINT_START>>\nCheckpoint: one\n<<CHECKPOINT_END>>';
const REQUEST =
  '<<INPUT_REQUIRED_START>>\nWhich?\nExpected input types: text\ncheckpoint_name: two\n<<INPUT_REQUIRED_END>>';
const ERROR = '<<ERROR_START>>\nError: three\n<<ERROR_END>>';
const DETAILS = '<<ERROR_JSON_START>>\n{"error": "three"}\n<<ERROR_JSON_END>>';
const CODED = '<<ERROR_JSON_START>>\n{"error": "three", "code": "E3"}\n<<ERROR_JSON_END>>';
const STEP = '<<STEP_START>>\n<<SINGLE_STEP_FLAG>>\nStep 4: Look ✓';

const CONSTRUCTS: readonly {
  readonly name: string;
  readonly text: string;
  readonly construct: Construct;
}[] = [
  {
    name: 'checkpoint',
    text: CHECKPOINT,
    construct: { kind: 'checkpoint', name: 'one', text: '' },
  },
  {
    name: 'request',
    text: REQUEST,
    construct: { kind: 'request', prompt: 'Which?', inputTypes: ['text'], checkpointName: 'two' },
  },
  { name: 'error', text: ERROR, construct: { kind: 'error', message: 'three', details: null } },
  {
    name: 'error in JSON',
    text: DETAILS,
    construct: { kind: 'error', message: 'three', details: '{"error": "three"}' },
  },
  {
    name: 'error with a code',
    text: CODED,
    construct: {
      kind: 'error',
      message: 'three',
      code: 'E3',
      details: '{"error": "three", "code": "E3"}',
    },
  },
  {
    name: 'step',
    text: STEP,
    construct: { kind: 'step', number: 4, title: 'Look', completed: true, single: true },
  },
];

for (const { name, text, construct } of CONSTRUCTS) {
  const whole = `a\n${text}\nb`;

  test(`content parser treats the tags of a live ${name} as text without a resolver`, () => {
    assert.deepEqual(readPieces('live', [whole]), [{ kind: 'text', key: '/0:text', text: whole }]);
    const thought = readPieces('live', [`<<thinking>>${whole}`]);
    assert.deepEqual(thought, [
      { kind: 'thinking', key: '/0:thinking', state: 'closed', text: whole },
    ]);
  });

  test(`content parser shows a live ${name} as text when the resolver finds no event`, () => {
    const resolver = createResolver('literal');
    assert.equal(readPieces('live', [whole], resolver)[0]?.text, whole);
    assert.equal(readPieces('live', whole, resolver)[0]?.text, whole);
    assert.deepEqual(resolver.constructs, [construct, construct]);
  });

  test(`content parser hides a live ${name} that an event has created`, () => {
    const resolver = createResolver('merged');
    assert.equal(readPieces('live', [whole], resolver)[0]?.text, 'a\nb');
    assert.equal(readPieces('live', whole, resolver)[0]?.text, 'a\nb');
    assert.deepEqual(resolver.constructs, [construct, construct]);
  });

  test(`content parser splits the text at a live ${name} that the resolver places there`, () => {
    const resolver = createResolver({ placed: 'thing' });
    assert.deepEqual(
      readPieces('live', whole, resolver).map((part) => [part.key, part.text]),
      [
        ['/0:text', 'a'],
        ['thing+0:text', 'b'],
      ],
    );
  });
}

test('content parser withholds a live construct until it is resolved', () => {
  const { parser, trees } = setupParser('live', createResolver('merged'));
  for (const unit of `a\n${CHECKPOINT.slice(0, -1)}`) parser.push(unit);
  assert.equal(trees()[0]?.text, 'a');
});

test('content parser emits a live construct without an end after 4,096 code units', () => {
  const resolver = createResolver('merged');
  const { parser, trees } = setupParser('live', resolver);
  parser.push(`<<CHECKPOINT_START>>${'a'.repeat(4097)}`);
  assert.equal(trees()[0]?.text?.length, 4117);
  assert.deepEqual(resolver.constructs, []);
});

test('content parser emits an unfinished live construct when another tag starts', () => {
  const resolver = createResolver('merged');
  const parts = readPieces('live', ['<<CHECKPOINT_START>>a<<thinking>>b'], resolver);
  assert.deepEqual(
    parts.map((part) => part.text),
    ['<<CHECKPOINT_START>>a', 'b'],
  );
});

test('content parser hides the end tag of a merged step and shows one without a step', () => {
  const resolver = createResolver('merged');
  const text = `${STEP}\na\n<<STEP_END>>\nb\n<<STEP_END>>\nc`;
  assert.equal(readPieces('live', text, resolver)[0]?.text, 'a\nb\n<<STEP_END>>\nc');
});

test('insertPart emits the withheld text before the inserted part', () => {
  const { parser, trees } = setupParser('live');
  parser.push('a <<thin');
  let textAtInsert = '';
  parser.insertPart(() => {
    textAtInsert = trees()[0]?.text ?? '';
    return 'step:1';
  });
  parser.push('\nking>> b');
  parser.end();
  assert.equal(textAtInsert, 'a <<thin');
  assert.deepEqual(
    trees().map((part) => [part.key, part.text]),
    [
      ['/0:text', 'a <<thin'],
      ['step:1+0:text', 'king>> b'],
    ],
  );
});

test('insertPart closes an open thinking part but not an open tool block', () => {
  const { parser, trees } = setupParser('live');
  parser.push('<<thinking>>a');
  parser.insertPart(() => 'step:1');
  parser.push('<<TOOL_STEP_START/b:1>><<TOOL_STEP_RESULT_START>>{"c"');
  parser.insertPart(() => 'step:2');
  parser.push(': 1}<<TOOL_STEP_RESULT_END>><<TOOL_STEP_END/b:1>>d');
  assert.deepEqual(trees(), [
    { kind: 'thinking', key: '/0:thinking', state: 'closed', text: 'a' },
    {
      kind: 'tool',
      key: 'tool:1',
      name: 'b',
      toolId: '1',
      state: 'done',
      input: null,
      result: '{"c": 1}',
    },
    { kind: 'text', key: 'step:2+0:text', text: 'd' },
  ]);
});

test('closeOpen closes tools, thinking parts and fences, and later text is still read', () => {
  const { parser, trees } = setupParser('live');
  parser.push('<<TOOL_STEP_START/a:1>><<thinking>>\n```\nb <<TOOL_');
  parser.closeOpen();
  parser.push('<<thinking>>c');
  parser.end();
  assert.deepEqual(
    trees().map((part) => [part.key, 'state' in part && part.state]),
    [
      ['tool:1', 'incomplete'],
      ['tool:1+0:thinking', 'closed'],
    ],
  );
});
