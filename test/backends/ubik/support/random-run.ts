import type { WireEvent } from '../../../../src/backends/ubik/events/wire-event.js';
import { pickIndex, pickOne, type Random } from '../../../helpers/seeded-random.js';

const TEXTS = [
  'Hello ',
  'world.\n',
  '\n\n',
  ' ',
  '- a\n- b\n',
  '<<thinking>>hm',
  '<</thinking>>',
  '<<think',
  'ing>>',
  '<<TOOL_STEP_START/find:c1>>',
  '<<TOOL_STEP_START/find:call_9>>\n',
  '<<TOOL_STEP_START/draw:c2>>',
  '<<TOOL_STEP_INPUT_START>>{"q":1}<<TOOL_STEP_INPUT_END>>',
  '<<TOOL_STEP_RESULT_START>>{"a":',
  '2}<<TOOL_STEP_RESULT_END>>',
  '<<TOOL_STEP_END/find:c1>>',
  '<<TOOL_STEP_END/draw:c2>>\n',
  '<<CHECKPOINT_START>>\nCheckpoint: k1\n<<CHECKPOINT_END>>\n',
  '<<STEP_START>>\nStep 2: Two\n',
  '<<STEP_END>>',
  '<<INPUT_REQUIRED_START>>\nWhere?\nExpected input types: text\ncheckpoint_name: k2\n<<INPUT_REQUIRED_END>>',
  '<<ERROR_START>>\nError: Broken\n<<ERROR_END>>',
  '`<<`',
  '<citation id="x">[1]</citation>',
];
const FULL = [
  'All of it.',
  '<<STEP_START>>\nStep 1: One ✓\nDone.\n<<STEP_END>>\nRest',
  '<<STEP_START>>\nStep 1: One\n<<TOOL_STEP_START/find:c1>>\n<<TOOL_STEP_INPUT_START>>\n{}\n<<TOOL_STEP_INPUT_END>>\n',
  'Look\n<<CHECKPOINT_START>>\nCheckpoint: k1\n<<CHECKPOINT_END>>\nand ',
  '<<thinking>>deep',
];

/** A random run in its true order. Timestamps increase, repeat or are missing. */
export function createRandomRun(random: Random, length: number): WireEvent[] {
  const events: WireEvent[] = [{ type: 'connection_established', fields: { task_id: 'task1' } }];
  let time = 1_000_000;
  for (let count = 0; count < length; count += 1) {
    time += pickIndex(random, 4);
    const event = createRandomEvent(random);
    const stamp =
      random() < 0.1 ? {} : { timestamp: new Date(Date.UTC(2026, 0, 1) + time).toISOString() };
    events.push({ type: event.type, fields: { ...event.fields, ...stamp } });
  }
  return events;
}

function createRandomEvent(random: Random): WireEvent {
  const step = 1 + pickIndex(random, 3);
  const tool = pickOne(random, [
    { tool_execution_id: 'c1', tool_name: 'find' },
    { tool_execution_id: 'u-7', tool_name: 'find' },
    { tool_execution_id: 'c2', tool_name: 'draw' },
  ]);
  const chance = random();
  if (chance < 0.35) return make('response_chunk', { content: pickOne(random, TEXTS), step });
  if (chance < 0.55) return make('response_chunk', { content: pickOne(random, TEXTS) });
  if (chance < 0.62) {
    return make('agent_step_started', {
      step,
      description: `Do ${step}`,
      single_step_agent: false,
    });
  }
  if (chance < 0.67) return make('agent_step_progress', { step, progress: 50, message: 'on it' });
  if (chance < 0.72) return make('agent_step_completed', { step, progress: 100, completed: true });
  if (chance < 0.75)
    return make('agent_progress', { step, total_steps: 3, progress: 33.3, description: 'x' });
  if (chance < 0.78)
    return make('checkpoint_created', { checkpoint_name: pickOne(random, ['k1', 'k3']) });
  if (chance < 0.8) {
    return make('input_required', {
      checkpoint_name: 'k2',
      prompt: 'Where?',
      input_types: ['text'],
    });
  }
  if (chance < 0.86) {
    return make('tool_update', {
      ...tool,
      data: {
        phase: pickOne(random, ['A', 'B', '']),
        status: pickOne(random, ['started', 'started', 'completed', 'failed']),
      },
    });
  }
  if (chance < 0.92) {
    return make('tool_partial_update', {
      ...tool,
      data: { content: 'out ', output_key: 'response' },
    });
  }
  if (chance < 0.94)
    return make('tool_input_required', { ...tool, tool_input: { question: 'Go?' } });
  if (chance < 0.95) return make('tool_end', { ...tool, status: 'completed' });
  if (chance < 0.98) return make('agent_response_update', { content: pickOne(random, FULL) });
  return make('something_new', { value: 1 });
}

function make(type: string, fields: object): WireEvent {
  return { type, fields: { ...fields } };
}

/** Replaces about a fifth of the events of a run with full contents. */
export function addFullContents(random: Random, events: readonly WireEvent[]): WireEvent[] {
  return events.map(({ type, fields }, index) => {
    if (index === 0 || random() > 0.2) return { type, fields };
    const { timestamp } = fields;
    const content = `${'Over and over. '.repeat(20)}${String(index)} ${pickOne(random, FULL)}`;
    return make('agent_response_update', {
      content,
      ...(timestamp === undefined ? {} : { timestamp }),
    });
  });
}

/** Reorders events so that some of them arrive late. */
export function delaySome<T>(random: Random, items: readonly T[], share: number): T[] {
  const [first, ...rest] = items;
  const ranked = rest.map((item, index) => ({
    item,
    rank: index + (random() < share ? pickIndex(random, 12) : 0),
  }));
  ranked.sort((left, right) => left.rank - right.rank);
  const reordered = ranked.map(({ item }) => item);
  return first === undefined ? reordered : [first, ...reordered];
}
