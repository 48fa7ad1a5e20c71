/**
 * Where the type of an event is. F1: in the JSON; F2: in the JSON and in `event:`; F3: in `event:` only; F4 to F6: in an envelope with
 * `data`, as `type`, `event_type` or `event`.
 */
export type Form = 'F1' | 'F2' | 'F3' | 'F4' | 'F5' | 'F6';

/** A variant of the protocol: one field for each choice that the specification leaves open. */
export interface Dialect {
  /** How type and payload are encoded in a record. */
  readonly form: Form;
  readonly lineEnd: '\n' | '\r\n' | '\r';
  /** Whether a stream begins with a byte order mark. */
  readonly bom: boolean;
  /** Whether timestamps have no time zone. */
  readonly naive: boolean;
  /** Maximum length of the JSON of an event, which is split beyond it; 0 for no limit. */
  readonly delta: number;
  readonly deltaOrder: 'in-order' | 'reverse' | 'shuffle' | 'repeat';
  /** Whether the last fragment of a split event is marked as such. */
  readonly deltaLast: boolean;
  /** Maximum length of a text chunk, in characters; 0 for no limit. */
  readonly cut: number;
  /** Whether adjacent chunks that are read together are joined, as in a replay. */
  readonly merge: boolean;
  /** Size of the groups within which events are shuffled; 0 for no shuffling. The end event stays last. */
  readonly shuffle: number;
  /** Whether chunks have their legacy name. */
  readonly alias: boolean;
  /**
   * Response to the POST of a message. `sse`: the stream; `json`: the question with `task_id` and `stream_url`; `json-bare`: the question
   * without them; `json-assistant`: the pending answer.
   */
  readonly answer: 'sse' | 'json' | 'json-assistant' | 'json-bare';
  /** State of the stream while the agent waits for a message: closed, open, or closed after an end event. */
  readonly waiting: 'close' | 'open' | 'complete';
  /** Content of the end event: all, nothing, or the text without its structure. */
  readonly final: 'full' | 'empty' | 'bare';
  /**
   * Field that identifies the checkpoint of a restore. A request without it is rejected with 422; `checkpoint_id` is accepted in place of
   * `checkpoint_name`, but not the reverse.
   */
  readonly checkpointField: 'checkpoint_name' | 'checkpoint_id';
  /** Whether the connection stays open after the end event. */
  readonly linger: boolean;
  /** Whether records have ids. */
  readonly ids: boolean;
  /** `retry` field at the start of a stream, in ms; 0 for none. */
  readonly retry: number;
  /** Interval of the heartbeat comments, in ms. */
  readonly heartbeat: number;
}

/** The default dialect. */
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
 * Parses a dialect such as `F4,crlf,naive,delta=200,delta-reverse`. Fields that are not named are those of `base`.
 *
 * Throws a `RangeError` for an unknown word.
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
