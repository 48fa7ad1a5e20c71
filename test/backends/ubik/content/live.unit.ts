import assert from 'node:assert/strict';
import { test } from 'node:test';
import type {
  Construct,
  ConstructDecision,
  ConstructResolver,
} from '../../../../src/backends/ubik/content/content-parser-types.js';
import { readPieces, setupParser } from './read-pieces.js';

interface Told extends ConstructResolver {
  readonly claims: Construct[];
}

function setupConstructs(fate: ConstructDecision): Told {
  const claims: Construct[] = [];
  return {
    claims,
    resolve: (construct) => {
      claims.push(construct);
      return fate;
    },
  };
}

const CHECKPOINT = '<<CHECKPOINT_START>>\nCheckpoint: one\n<<CHECKPOINT_END>>';
const REQUEST =
  '<<INPUT_REQUIRED_START>>\nWhich?\nExpected input types: text\ncheckpoint_name: two\n<<INPUT_REQUIRED_END>>';
const ERROR = '<<ERROR_START>>\nError: three\n<<ERROR_END>>';
const DETAILS = '<<ERROR_JSON_START>>\n{"error": "three"}\n<<ERROR_JSON_END>>';
const STEP = '<<STEP_START>>\n<<SINGLE_STEP_FLAG>>\nStep 4: Look ✓';

const CONSTRUCTS: readonly { readonly text: string; readonly construct: Construct }[] = [
  { text: CHECKPOINT, construct: { kind: 'checkpoint', name: 'one', text: '' } },
  {
    text: REQUEST,
    construct: { kind: 'request', prompt: 'Which?', inputTypes: ['text'], checkpointName: 'two' },
  },
  { text: ERROR, construct: { kind: 'error', message: 'three', details: null } },
  { text: DETAILS, construct: { kind: 'error', message: 'three', details: '{"error": "three"}' } },
  {
    text: STEP,
    construct: { kind: 'step', number: 4, title: 'Look', completed: true, single: true },
  },
];

for (const { text, construct } of CONSTRUCTS) {
  const whole = `a\n${text}\nb`;

  test(`tags of a ${construct.kind} in live text stay text and close nothing`, () => {
    assert.deepEqual(readPieces('live', [whole]), [{ kind: 'text', key: '/0:text', text: whole }]);
    const thought = readPieces('live', [`<<thinking>>${whole}`]);
    assert.deepEqual(thought, [
      { kind: 'thinking', key: '/0:thinking', state: 'closed', text: whole },
    ]);
  });

  test(`a ${construct.kind} that no event matches is text, however it is cut`, () => {
    const told = setupConstructs('literal');
    assert.equal(readPieces('live', [whole], told)[0]?.text, whole);
    assert.equal(readPieces('live', whole, told)[0]?.text, whole);
    assert.deepEqual(told.claims, [construct, construct]);
  });

  test(`a ${construct.kind} that an event has made is not shown again`, () => {
    const told = setupConstructs('merged');
    assert.equal(readPieces('live', [whole], told)[0]?.text, 'a\nb');
    assert.equal(readPieces('live', whole, told)[0]?.text, 'a\nb');
    assert.deepEqual(told.claims, [construct, construct]);
  });

  test(`a ${construct.kind} that takes its place here parts the text`, () => {
    const told = setupConstructs({ placed: 'thing' });
    assert.deepEqual(
      readPieces('live', whole, told).map((part) => [part.key, part.text]),
      [
        ['/0:text', 'a'],
        ['thing+0:text', 'b'],
      ],
    );
  });
}

test('shows nothing of a construct before it is decided', () => {
  const { parser, trees } = setupParser('live', setupConstructs('merged'));
  for (const unit of `a\n${CHECKPOINT.slice(0, -1)}`) parser.push(unit);
  assert.equal(trees()[0]?.text, 'a');
});

test('does not wait for a construct without end', () => {
  const told = setupConstructs('merged');
  const { parser, trees } = setupParser('live', told);
  parser.push(`<<CHECKPOINT_START>>${'a'.repeat(4097)}`);
  assert.equal(trees()[0]?.text?.length, 4117);
  assert.deepEqual(told.claims, []);
});

test('another tag ends the waiting', () => {
  const told = setupConstructs('merged');
  const parts = readPieces('live', ['<<CHECKPOINT_START>>a<<thinking>>b'], told);
  assert.deepEqual(
    parts.map((part) => part.text),
    ['<<CHECKPOINT_START>>a', 'b'],
  );
});

test('the end tag of a merged step is not shown either, one of no step is', () => {
  const told = setupConstructs('merged');
  const text = `${STEP}\na\n<<STEP_END>>\nb\n<<STEP_END>>\nc`;
  assert.equal(readPieces('live', text, told)[0]?.text, 'a\nb\n<<STEP_END>>\nc');
});

test('an event places a part in the text', () => {
  const { parser, trees } = setupParser('live');
  parser.push('a <<thin');
  let held = '';
  parser.insertPart(() => {
    held = trees()[0]?.text ?? '';
    return 'step:1';
  });
  parser.push('\nking>> b');
  parser.end();
  assert.equal(held, 'a <<thin');
  assert.deepEqual(
    trees().map((part) => [part.key, part.text]),
    [
      ['/0:text', 'a <<thin'],
      ['step:1+0:text', 'king>> b'],
    ],
  );
});

test('an event closes an open thought, but leaves the block of a tool in peace', () => {
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

test('the end of a live step closes tools, thoughts and fences, and late text still comes', () => {
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
