/** @import * as Ubik from 'ubik-elements/controller.js' */

// Functions that create stored messages and their parts.

let count = 0;
const key = (/** @type {string} */ kind) => `${kind}-${(count += 1)}`;

/** @param {string} text @returns {Ubik.PartTree} */
export const say = (text) => ({ kind: 'text', key: key('text'), text });

/** @param {string} text @returns {Ubik.PartTree} */
export const think = (text) => ({ kind: 'thinking', key: key('thinking'), state: 'closed', text });

/**
 * @param {number} number @param {string} title @param {readonly Ubik.PartTree[]} [parts]
 * @param {Partial<Ubik.FieldsOf<'step'>>} [more] @returns {Ubik.PartTree}
 */
export const step = (number, title, parts = [], more = {}) => ({
  kind: 'step',
  key: `step:${number}`,
  number,
  title,
  single: false,
  state: 'completed',
  parts,
  ...more,
});

/**
 * @param {string} name @param {unknown} input @param {unknown} result
 * @param {Partial<Ubik.FieldsOf<'tool'>>} [more] @returns {Ubik.PartTree}
 */
export const tool = (name, input, result, more = {}) => ({
  kind: 'tool',
  key: key('tool'),
  name,
  toolId: key('call'),
  state: 'done',
  input: toRaw(input),
  result: toRaw(result),
  ...more,
});

/** @param {unknown} value */
const toRaw = (value) =>
  value === null || typeof value === 'string' ? value : JSON.stringify(value, null, 2);

/** @param {string} name @returns {Ubik.PartTree} */
export const checkpoint = (name) => ({ kind: 'checkpoint', key: `checkpoint:${name}`, name });

/** An input request in a stored answer. @param {string} prompt @param {string | null} [answer] @returns {Ubik.PartTree} */
export const inputRequest = (prompt, answer = null) => ({
  kind: 'input-request',
  key: key('asked'),
  prompt,
  inputTypes: ['text'],
  checkpointName: null,
  answer,
});

/**
 * @param {string} message @param {string | null} [details] @param {Pick<Ubik.FieldsOf<'error'>, 'code' | 'advice'>} [more]
 * @returns {Ubik.PartTree}
 */
export const error = (message, details = null, more = {}) => ({
  kind: 'error',
  key: key('error'),
  message,
  details,
  ...more,
});

/**
 * A citation in a text.
 *
 * @param {string} id @param {string} label @param {Partial<Ubik.CitationMark>} more
 * @returns {[string, Ubik.CitationMark]}
 */
export const cite = (id, label, more) => [
  id,
  { kind: 'citation', label: `[${label}]`, source: `[${label}]`, ...more },
];

/**
 * A text with citations in place of `{id}`. In the model, a mark is its id between U+E000 and U+E001.
 *
 * @param {string} text
 * @param {[string, Ubik.CitationMark][]} marks
 */
export const sayWith = (text, marks) => ({
  .../** @type {Ubik.PartTree & { kind: 'text' }} */ (say('')),
  text: text.replace(/\{(\w+)\}/g, '\uE000$1\uE001'),
  marks: Object.fromEntries(marks),
});

/** Returns the time a number of minutes before the stopped clock of the page. */
export const ago = (/** @type {number} */ minutes) => Date.now() - minutes * 60_000;

/**
 * @param {'user' | 'assistant'} role @param {readonly Ubik.PartTree[]} parts
 * @param {Partial<Ubik.StoredMessage['fields']>} more @returns {Ubik.StoredMessage}
 */
function createMessage(role, parts, more) {
  const fields = {
    runId: null,
    role,
    siblingIds: [],
    createdAt: ago(5),
    status: /** @type {const} */ ('complete'),
    attachments: [],
    restoredFrom: null,
    failure: null,
    ...more,
  };
  return { id: key(role), parentId: null, fields, parts, requests: [] };
}

/** A message of the user. @param {string} text @param {Partial<Ubik.StoredMessage['fields']>} [more] */
export const question = (text, more = {}) => createMessage('user', [say(text)], more);

/** An answer of the agent. @param {readonly Ubik.PartTree[]} parts @param {Partial<Ubik.StoredMessage['fields']>} [more] */
export const answer = (parts, more = {}) => createMessage('assistant', parts, more);
