/** The six forms in which an event may be written. */
export type Form = 'F1' | 'F2' | 'F3' | 'F4' | 'F5' | 'F6';

/** How a server may speak the protocol; every choice that the documents leave open is one field. */
export interface Dialect {
  /** How type and payload share a record. */
  readonly form: Form;
  readonly lineEnd: '\n' | '\r\n' | '\r';
  /** Whether a stream begins with a byte order mark. */
  readonly bom: boolean;
  /** Whether times come without a zone. */
  readonly naive: boolean;
  /** Events whose JSON is longer than this are split; 0 for never. */
  readonly delta: number;
  readonly deltaOrder: 'in-order' | 'reverse' | 'shuffle' | 'repeat';
  /** Whether the last piece of a split event says so. */
  readonly deltaLast: boolean;
  /** Chunks of text are cut to at most this many characters; 0 leaves them as they are. */
  readonly cut: number;
  /** Whether neighbouring chunks of what is replayed are joined. */
  readonly merge: boolean;
  /** Events are shuffled within groups of this size; 0 for never. The end stays last. */
  readonly shuffle: number;
  /** Whether chunks have their historical name. */
  readonly alias: boolean;
  /** What a message's POST answers: the stream, or JSON of the question or of the coming answer. */
  readonly answer: 'sse' | 'json' | 'json-assistant' | 'json-bare';
  /** What a stream does when the agent waits for a message. */
  readonly waiting: 'close' | 'open' | 'complete';
  /** What the end event brings as content: all, nothing, or the text without its structure. */
  readonly final: 'full' | 'empty' | 'bare';
  /** The field in which a restore names its checkpoint; the other one is refused with 422. */
  readonly checkpointField: 'checkpoint_name' | 'checkpoint_id';
  /** Whether the connection stays open after the end event. */
  readonly linger: boolean;
  /** Whether records carry ids. */
  readonly ids: boolean;
  /** Reconnection time in milliseconds that a stream begins with; 0 for none. */
  readonly retry: number;
  /** Milliseconds between two comments that keep the connection alive. */
  readonly heartbeat: number;
}

/** How the agent speaks when nobody asks for anything else. */
export const PLAIN_DIALECT: Dialect = {
  form: 'F1',
  lineEnd: '\n',
  bom: false,
  naive: false,
  delta: 0,
  deltaOrder: 'in-order',
  deltaLast: true,
  cut: 0,
  merge: false,
  shuffle: 0,
  alias: false,
  answer: 'sse',
  waiting: 'close',
  final: 'full',
  checkpointField: 'checkpoint_name',
  linger: false,
  ids: false,
  retry: 0,
  heartbeat: 15_000,
};

const WORDS: ReadonlyMap<string, Partial<Dialect>> = new Map<string, Partial<Dialect>>([
  ...(['F1', 'F2', 'F3', 'F4', 'F5', 'F6'] as const).map((form) => [form, { form }] as const),
  ['lf', { lineEnd: '\n' }],
  ['crlf', { lineEnd: '\r\n' }],
  ['cr', { lineEnd: '\r' }],
  ['bom', { bom: true }],
  ['naive', { naive: true }],
  ['delta-in-order', { deltaOrder: 'in-order' }],
  ['delta-reverse', { deltaOrder: 'reverse' }],
  ['delta-shuffle', { deltaOrder: 'shuffle' }],
  ['delta-repeat', { deltaOrder: 'repeat' }],
  ['delta-no-last', { deltaLast: false }],
  ['merge', { merge: true }],
  ['alias', { alias: true }],
  ['answer=sse', { answer: 'sse' }],
  ['answer=json', { answer: 'json' }],
  ['answer=json-assistant', { answer: 'json-assistant' }],
  ['answer=json-bare', { answer: 'json-bare' }],
  ['waiting=close', { waiting: 'close' }],
  ['waiting=open', { waiting: 'open' }],
  ['waiting=complete', { waiting: 'complete' }],
  ['final=full', { final: 'full' }],
  ['final=empty', { final: 'empty' }],
  ['final=bare', { final: 'bare' }],
  ['checkpoint-id', { checkpointField: 'checkpoint_id' }],
  ['linger', { linger: true }],
  ['ids', { ids: true }],
]);

const NUMBERS = ['delta', 'cut', 'shuffle', 'retry', 'heartbeat'] as const;

/**
 * Reads a dialect from words, such as `F4,crlf,naive,delta=200,delta-reverse`. What is not named is plain.
 *
 * Throws a `RangeError` that names the word it does not know.
 */
export function parseDialect(text: string, base: Dialect = PLAIN_DIALECT): Dialect {
  let dialect = base;
  for (const word of text.split(/[,;\s]+/u)) {
    if (word === '') continue;
    const change = WORDS.get(word) ?? readNumber(word);
    if (change === null) throw new RangeError(`The dialect has no word "${word}".`);
    dialect = { ...dialect, ...change };
  }
  return dialect;
}

function readNumber(word: string): Partial<Dialect> | null {
  const [, name, digits] = /^([a-z]+)=(\d{1,7})$/u.exec(word) ?? [];
  const known = NUMBERS.find((each) => each === name);
  return known === undefined ? null : { [known]: Number(digits) };
}
