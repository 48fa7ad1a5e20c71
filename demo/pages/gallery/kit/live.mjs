/** @import * as Ubik from 'ubik-elements/controller.js' */
/** @import { Run } from './backend.mjs' */

/**
 * Creates changes of the message with a key. The functions below return such functions, because the key of the answer is known only when the
 * run starts.
 *
 * @typedef {(message: Ubik.Key) => readonly Ubik.Change[]} CreateChanges
 */

const ACTIVITY = '@activity';

/**
 * @param {Ubik.Key} message @param {Ubik.Key} part @param {Ubik.PartFields} value
 * @param {Ubik.Key | null} [parent] @returns {Ubik.Change}
 */
const put = (message, part, value, parent = null) => ({
  type: 'part',
  message,
  part,
  parent,
  before: null,
  value,
});

/**
 * Parts with their text and descendants.
 *
 * @param {readonly Ubik.PartTree[]} trees @param {Ubik.Key | null} [parent] @returns {CreateChanges}
 */
export const parts =
  (trees, parent = null) =>
  (message) =>
    trees.flatMap(({ key, text, parts: inner, ...value }) => [
      put(message, key, /** @type {Ubik.PartFields} */ (value), parent),
      ...(text
        ? [/** @type {Ubik.Change} */ ({ type: 'text', message, part: key, at: 0, text })]
        : []),
      ...parts(inner ?? [], key)(message),
    ]);

/** The activity of a tool. @param {Ubik.PartTree} tool @param {Partial<Ubik.FieldsOf<'tool-activity'>>} more @returns {CreateChanges} */
export const toolActivity = (tool, more) => (message) => [
  put(
    message,
    `@tool:${tool.key}`,
    {
      kind: 'tool-activity',
      toolId: tool.key,
      name: tool.kind === 'tool' ? tool.name : '',
      part: tool.key,
      phase: '',
      status: '',
      message: '',
      data: null,
      state: 'running',
      reason: '',
      startedAt: Date.now() - 4200,
      endedAt: null,
      subSession: null,
      ...more,
    },
    ACTIVITY,
  ),
];

/**
 * The phases of a tool.
 *
 * @param {Ubik.PartTree} tool
 * @param {readonly Partial<Ubik.FieldsOf<'phase-activity'>>[]} list
 * @returns {CreateChanges}
 */
export const phases = (tool, list) => (message) =>
  list.map((more, index) =>
    put(
      message,
      `@phase:${tool.key}#${index + 1}`,
      {
        kind: 'phase-activity',
        phase: '',
        message: '',
        data: null,
        state: 'done',
        startedAt: Date.now() - 4200 + 700 * index,
        endedAt: Date.now() - 3500 + 700 * index,
        ...more,
      },
      `@tool:${tool.key}`,
    ),
  );

/** Output that a tool streams. @param {Ubik.PartTree} tool @param {string} name @param {string} text @returns {CreateChanges} */
export const output = (tool, name, text) => (message) => {
  const part = `@output:${tool.key}:${name}`;
  return [
    put(message, part, { kind: 'output-activity', outputKey: name }, `@tool:${tool.key}`),
    { type: 'text', message, part, at: 0, text },
  ];
};

/** Text that ended before it could be parsed. @param {Ubik.PartTree | null} tool @param {string} text @returns {CreateChanges} */
export const incomplete = (tool, text) => (message) => {
  const part = `@incomplete:${tool?.key ?? ''}`;
  const payload = tool && 'result';
  return [
    put(message, part, { kind: 'incomplete-activity', tool: tool?.key ?? null, payload }, ACTIVITY),
    { type: 'text', message, part, at: 0, text },
  ];
};

/** The activity of a step. @param {number} number @param {Partial<Ubik.FieldsOf<'step-activity'>>} more @returns {CreateChanges} */
export const stepActivity = (number, more) => (message) => [
  put(
    message,
    `@step:${number}`,
    {
      kind: 'step-activity',
      number,
      title: '',
      progress: null,
      status: '',
      results: null,
      state: 'running',
      startedAt: Date.now() - 12_000,
      endedAt: null,
      ...more,
    },
    ACTIVITY,
  ),
];

/** Progress of the whole run. @param {Partial<Ubik.FieldsOf<'run-activity'>>} more @returns {CreateChanges} */
export const runActivity = (more) => (message) => [
  put(
    message,
    '@run',
    {
      kind: 'run-activity',
      step: null,
      totalSteps: null,
      progress: null,
      description: '',
      result: null,
      ...more,
    },
    ACTIVITY,
  ),
];

/** A pending input request. @param {string} prompt @param {Partial<Ubik.FieldsOf<'request-activity'>>} [more] @returns {CreateChanges} */
export const requestActivity =
  (prompt, more = {}) =>
  (message) => [
    put(
      message,
      `@request:${prompt}`,
      {
        kind: 'request-activity',
        level: 'agent',
        prompt,
        inputTypes: ['text'],
        checkpointName: 'asked',
        executionId: null,
        toolName: null,
        options: null,
        schema: null,
        deadline: null,
        part: null,
        state: 'pending',
        ...more,
      },
      ACTIVITY,
    ),
  ];

/** A run that has sent these changes and stays active. @param {...CreateChanges} changes @returns {Run} */
export const running = (...changes) =>
  async function* run({ answer }) {
    yield [
      { type: 'thread', set: { run: { state: 'streaming', id: 'task' } } },
      ...changes.flatMap((createChanges) => createChanges(answer)),
    ];
  };

/**
 * A run that has sent these changes and has ended.
 *
 * @param {'complete' | 'waiting' | 'stopped' | 'failed'} state
 * @param {...CreateChanges} changes
 * @returns {Run}
 */
export const ended = (state, ...changes) =>
  async function* run(keys) {
    yield* running(...changes)(keys);
    yield [
      { type: 'set', message: keys.answer, part: null, path: ['status'], value: state },
      { type: 'thread', set: { run: { state } } },
    ];
  };

/** A run whose connection breaks after these changes. @param {...CreateChanges} changes @returns {Run} */
export const broken = (...changes) =>
  async function* run(keys) {
    yield* running(...changes)(keys);
    throw Object.assign(new Error('The connection broke.'), { name: 'UbikError', code: 'network' });
  };
