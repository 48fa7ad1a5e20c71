import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { PartTree } from '../../../../src/model/part.js';
import { deriveStoredAnswer } from '../../../../src/backends/data-agent/projection/answer-projection.js';
import {
  append,
  createReply,
  modelStep,
  showReply,
  ShownAnswer,
  skillStep,
  stepPath,
  upsert,
} from './shown-answer.js';

/*
 * The parts that are shown for the reply of a Data Agent (protocol, section 7). `final_answer.answer` of the reply is its final text;
 * `middle_answer.progress` has its steps: texts of the model, and calls of skills, which are shown as tools. `showReply` shows a whole reply;
 * `shown.apply` applies patches to it, as a stream does, and `shown.finish` ends the run.
 */

/** Parts as `kind: text`, with those in a tool in brackets after it. */
function outline(parts: readonly PartTree[]): string[] {
  return parts.map((part) => {
    const inside = part.parts ? ` [${outline(part.parts).join(', ')}]` : '';
    const name = part.kind === 'tool' ? ` ${part.name} ${part.state}` : '';
    return `${part.kind}${name}${part.text === undefined ? '' : `: ${part.text}`}${inside}`;
  });
}

const FINAL_TEXT = ['message', 'content', 'final_answer', 'answer', 'text'];
const CONTENT = ['message', 'content'];

suite('final text of an answer', () => {
  test('is shown after the steps when no step shows it', () => {
    const { parts } = showReply(
      createReply([modelStep('Looking.')], { answer: { text: 'Found.' } }),
    );
    assert.deepEqual(outline(parts), ['text: Looking.', 'text: Found.']);
  });

  test('is hidden while it begins with the last step, or the last step begins with it', () => {
    const shown = showReply(createReply([modelStep('')], { answer: { text: '' } }));
    const step = stepPath(0, 'answer');
    shown.apply(append(step, 'North'));
    shown.apply(append(FINAL_TEXT, 'North holds'));
    assert.deepEqual(outline(shown.parts), ['text: North']);
    shown.apply(append(step, ' holds the'));
    assert.deepEqual(outline(shown.parts), ['text: North holds the']);
    shown.apply(append(FINAL_TEXT, ' the most'));
    assert.deepEqual(outline(shown.parts), ['text: North holds the']);
  });

  test('is shown as soon as it differs from the last step', () => {
    const shown = showReply(createReply([modelStep('North')], { answer: { text: 'North' } }));
    shown.apply(append(FINAL_TEXT, ' or South'));
    assert.deepEqual(outline(shown.parts), ['text: North']);
    shown.apply(append(stepPath(0, 'answer'), ' holds'));
    assert.deepEqual(outline(shown.parts), ['text: North holds', 'text: North or South']);
  });

  test('is shown at the end when a step is only its beginning', () => {
    const shown = showReply(createReply([modelStep('North')], { answer: { text: 'North holds' } }));
    assert.deepEqual(outline(shown.parts), ['text: North']);
    shown.finish();
    assert.deepEqual(outline(shown.parts), ['text: North', 'text: North holds']);
  });

  test('is hidden at the end when it equals an earlier step', () => {
    const steps = [modelStep(' Found. '), modelStep('Anything else?')];
    const shown = showReply(createReply(steps, { answer: { text: 'Found.\n' } }));
    assert.equal(shown.parts.length, 3);
    shown.finish();
    assert.deepEqual(outline(shown.parts), ['text:  Found. ', 'text: Anything else?']);
  });

  test('is shown until a step repeats it', () => {
    const shown = showReply(createReply([], { answer: { text: 'North' } }));
    assert.deepEqual(outline(shown.parts), ['text: North']);
    shown.apply(append(stepPath(0), modelStep('North')));
    assert.deepEqual(outline(shown.parts), ['text: North']);
    assert.equal(shown.parts[0]?.key, 'step-0-text');
  });

  test('is compared from its beginning when it was emptied and written again', () => {
    const shown = showReply(createReply([modelStep('North')], { answer: { text: 'North' } }));
    shown.apply(upsert(FINAL_TEXT, ''));
    shown.apply(append(FINAL_TEXT, 'South'));
    assert.deepEqual(outline(shown.parts), ['text: North', 'text: South']);
  });

  test('is compared with the step before when the last one is removed', () => {
    const steps = [modelStep('North'), skillStep('finder', null), modelStep('xyz')];
    const shown = showReply(createReply(steps, { answer: { text: 'North' } }));
    assert.equal(shown.parts.length, 4);
    shown.apply(append(stepPath(0, 'answer'), ' holds'), {
      path: stepPath(2),
      action: 'remove',
      value: null,
    });
    assert.deepEqual(outline(shown.parts), ['text: North holds', 'tool finder done']);
  });

  test('is not hidden by an equal result of a tool', () => {
    const info = { type: 'AGENT', name: 'reader', args: [] };
    const steps = [skillStep('reader', 'Found.', { skill_info: info })];
    const shown = showReply(createReply(steps, { answer: { text: 'Found.' } }));
    shown.finish();
    assert.deepEqual(outline(shown.parts), ['tool reader done [text: Found.]', 'text: Found.']);
  });

  test('may be a string instead of an object', () => {
    const shown = showReply(createReply([], { answer: 'Yes.' }));
    assert.deepEqual(outline(shown.parts), ['text: Yes.']);
  });

  test('is truncated where a rewritten text differs', () => {
    const shown = showReply(createReply([], { answer: { text: 'North holds 12' } }));
    assert.deepEqual(shown.apply(upsert(FINAL_TEXT, 'North holds 13 units')), [
      { type: 'text', message: 'm', part: 'answer-text', at: 13, text: '3 units' },
    ]);
  });
});

/** Skills with an answer, and the parts that show it. */
const COMPLETE_STEPS: readonly (readonly [skill: string, answer: unknown, ...parts: string[]])[] = [
  [
    'zhipu_search_tool',
    {
      choices: [
        {
          message: {
            tool_calls: [
              { id: 'c', type: 'search_intent', search_intent: [{ query: 'pumps' }] },
              { id: 'c', type: 'search_result', search_result: [{ title: 'Pumps' }] },
            ],
          },
        },
      ],
    },
    'web-search',
  ],
  [
    'json2plot',
    {
      result: {
        data: [{ cause: 'power', n: 9 }],
        chart_config: { colorField: 'cause', angleField: 'n', chart_type: 'Pie' },
      },
    },
    'tool json2plot done',
    'chart',
  ],
  [
    'datasource_filter',
    { result: { result: [{ type: 'data_catalog', id: 'c1', title: 'Stock' }] } },
    'tool datasource_filter done [table]',
  ],
  [
    'datasource_rerank',
    { result: [{ type: 'data_catalog', id: 'c1', title: 'Stock' }] },
    'tool datasource_rerank done [table]',
  ],
];

suite('steps of an answer', () => {
  for (const [skill, answer, ...parts] of COMPLETE_STEPS) {
    test(`are shown once when ${skill} arrives complete`, () => {
      const shown = showReply(createReply([modelStep('Looking.')]));
      shown.apply(append(stepPath(1), skillStep(skill, answer)));
      assert.deepEqual(outline(shown.parts), ['text: Looking.', ...parts]);
      shown.apply(append(stepPath(2), modelStep('Done.')));
      shown.finish();
      assert.deepEqual(outline(shown.parts), ['text: Looking.', ...parts, 'text: Done.']);
    });
  }

  test('may be missing at any level', () => {
    for (const middle of [null, {}, { progress: null }, { progress: [] }, { progress: [null] }]) {
      const content = { final_answer: { answer: { text: 'Yes.' } }, middle_answer: middle };
      const { parts } = showReply({ message: { content } });
      assert.deepEqual(outline(parts), ['text: Yes.'], JSON.stringify(middle));
    }
    const { parts } = showReply({ message: { content: { final_answer: { answer: 'Yes.' } } } });
    assert.deepEqual(outline(parts), ['text: Yes.']);
  });

  test('are shown with the first snapshot', () => {
    const steps = [modelStep('Looking.'), skillStep('finder', { a: 1 })];
    const { message } = createReply(steps, { answer: { text: 'Looking.' } });
    const shown = new ShownAnswer();
    shown.apply(upsert(['message'], message));
    assert.deepEqual(outline(shown.parts), ['text: Looking.', 'tool finder done']);
  });

  test('are replaced by a text that the service rewrites', () => {
    const shown = showReply(createReply([modelStep('A first draft')]));
    shown.apply(upsert(stepPath(0, 'answer'), 'Another text'));
    assert.deepEqual(outline(shown.parts), ['text: Another text']);
    shown.apply(append(stepPath(0, 'answer'), ', longer'));
    assert.deepEqual(outline(shown.parts), ['text: Another text, longer']);
  });

  test('show a result that is set below their answer', () => {
    const shown = showReply(createReply([skillStep('text2sql', {})]));
    const result = { sql: 'SELECT 1', data: [{ n: 1 }], title: 'One' };
    shown.apply(upsert(stepPath(0, 'answer', 'result'), result));
    assert.deepEqual(outline(shown.parts), ['tool text2sql done [table]']);
  });
});

suite('thinking of an answer', () => {
  test('comes before the final text, and is open until that starts', () => {
    const shown = showReply(createReply([], { thinking: 'Hm', answer: { text: '' } }));
    assert.equal((shown.parts[0] as { state?: string }).state, 'open');
    shown.apply(append(FINAL_TEXT, 'Yes.'));
    assert.deepEqual(outline(shown.parts), ['thinking: Hm', 'text: Yes.']);
    assert.equal((shown.parts[0] as { state?: string }).state, 'closed');
  });

  test('is not shown again when a step contains it', () => {
    const steps = [modelStep('Yes.', { think: 'Hm' })];
    const shown = showReply(createReply(steps, { thinking: 'Hm', answer: { text: 'Yes.' } }));
    shown.finish();
    assert.deepEqual(outline(shown.parts), ['thinking: Hm', 'text: Yes.']);
  });

  test('of a step is open until its answer begins or its step ends', () => {
    const stateOf = (answer: string, status: string): unknown => {
      const step = modelStep(answer, { think: 'Hm', status });
      return (showReply(createReply([step])).parts[0] as { state?: string }).state;
    };
    assert.equal(stateOf('', 'processing'), 'open');
    assert.equal(stateOf('', 'completed'), 'closed');
    assert.equal(stateOf('Yes.', 'processing'), 'closed');
  });

  test('of a tool comes before the tool', () => {
    const steps = [skillStep('other', null, { think: 'Hm' })];
    assert.deepEqual(outline(showReply(createReply(steps)).parts), [
      'thinking: Hm',
      'tool other done',
    ]);
  });
});

suite('content that is blank', () => {
  const REPLY = createReply([modelStep('Checking the')], { answer: { text: '' } });

  for (const [name, value] of Object.entries({
    'is null': null,
    'is an empty object': {},
    'is an empty text': '',
    'has only null members': { final_answer: null, middle_answer: null },
    'is a number': 5,
  })) {
    test(`clears nothing when it ${name}`, () => {
      const shown = showReply(REPLY);
      assert.deepEqual(shown.apply(upsert(CONTENT, value)), []);
      shown.finish();
      assert.deepEqual(outline(shown.parts), ['text: Checking the']);
    });
  }

  test('clears nothing when the message or the reply is replaced', () => {
    const shown = showReply(REPLY);
    shown.apply(upsert(['message'], null));
    shown.replace({});
    assert.deepEqual(outline(shown.parts), ['text: Checking the']);
  });

  test('of a stored answer has no parts', () => {
    assert.deepEqual(deriveStoredAnswer({ message: { content: null } }), {
      parts: [],
      activity: [],
    });
  });

  test('is replaced by the next content that is not blank', () => {
    const shown = showReply(REPLY);
    shown.apply(upsert(CONTENT, null));
    shown.apply(upsert(CONTENT, { final_answer: { answer: { text: 'Anew' } } }));
    assert.deepEqual(outline(shown.parts), ['text: Anew']);
  });
});

suite('hidden steps and unusual values of an answer', () => {
  const HIDDEN: Readonly<Record<string, object>> = {
    'an assignment': modelStep('x', { stage: 'assign' }),
    'a step for developers': modelStep('x', { flags: '{"debug": true}' }),
    'a step for developers, with an object': modelStep('x', { flags: { debug: 1 } }),
    'a search in the memory': skillStep('Search_Memory', {}),
    'a build of the memory': skillStep('build__memory', {}),
    'a list of data sources': skillStep(
      'sailor',
      {},
      {
        skill_info: { type: 'TOOL', name: 'sailor', args: [{ name: 'action', value: 'show_ds' }] },
      },
    ),
    'an empty step': modelStep(' '),
  };
  for (const [name, step] of Object.entries(HIDDEN)) {
    test(`${name} is not shown`, () => {
      const shown = showReply(createReply([step, modelStep('Seen.')]));
      assert.deepEqual(outline(shown.parts), ['text: Seen.']);
      assert.deepEqual(shown.tools, []);
    });
  }

  test('a step that is no longer hidden is inserted in its position', () => {
    const shown = showReply(
      createReply([modelStep('a', { flags: { debug: true } }), modelStep('b')]),
    );
    shown.apply(upsert(stepPath(0, 'flags'), ''));
    assert.deepEqual(outline(shown.parts), ['text: a', 'text: b']);
  });

  test('a hole in the list is skipped', () => {
    const shown = showReply(createReply([modelStep('a'), modelStep('b'), modelStep('c')]));
    shown.apply({ path: stepPath(1), action: 'remove', value: null });
    assert.deepEqual(outline(shown.parts), ['text: a', 'text: c']);
  });

  test('a list that is null has no steps', () => {
    const shown = showReply(createReply([modelStep('a')], { answer: { text: 'b' } }));
    shown.apply(upsert(['message', 'content', 'middle_answer', 'progress'], null));
    assert.deepEqual(outline(shown.parts), ['text: b']);
  });

  test('an answer that is not a text is shown as JSON', () => {
    const { parts } = showReply(createReply([modelStep({ b: 1, a: '```' })]));
    assert.equal(parts[0]?.text, '````json\n{\n  "a": "```",\n  "b": 1\n}\n````');
  });

  test('a list of texts is shown as a list', () => {
    const { parts } = showReply(createReply([], { answer_type_other: ['one', 'two\nlines'] }));
    assert.equal(parts[0]?.text, '- one\n- two\n  lines');
  });

  test('an object with names of Object.prototype is shown as data', () => {
    const answer = JSON.parse('{"__proto__": {"a": "x"}, "constructor": "y"}') as unknown;
    const { parts } = showReply(createReply([skillStep('other', answer)]));
    const [part] = parts;
    assert.equal(
      part?.kind === 'tool' ? part.result : '',
      '{"__proto__":{"a":"x"},"constructor":"y"}',
    );
  });
});

/** The info of a skill, as in a step. */
const info = (fields: object): object => ({ type: 'TOOL', name: 'finder', args: [], ...fields });

suite('tools of an answer', () => {
  test('are steps with a skill, whatever their stage, except those of the model', () => {
    const stages = ['skill', '', undefined].map((stage) => skillStep('finder', null, { stage }));
    assert.deepEqual(
      outline(showReply(createReply(stages)).parts),
      stages.map(() => 'tool finder done'),
    );
    const model = modelStep('Text.', { skill_info: info({}) });
    assert.deepEqual(outline(showReply(createReply([model])).parts), ['text: Text.']);
  });

  test('have the name of their agent when the skill has no name', () => {
    const step = skillStep('', null, { agent_name: 'reader_agent' });
    assert.deepEqual(outline(showReply(createReply([step])).parts), ['tool reader_agent done']);
  });

  test('have a type if they are well known, whatever the case of their name; agents have none', () => {
    const agent = { skill_info: info({ type: 'AGENT', name: 'text2sql' }) };
    const steps = [
      skillStep('Text2SQL', null),
      skillStep('doc_qa', null),
      skillStep('text2sql', 'x', agent),
      skillStep('finder', null),
    ];
    const shown = showReply(createReply(steps));
    const typeOf = (part: object): unknown => ('toolType' in part ? part.toolType : null);
    assert.deepEqual(shown.parts.map(typeOf), ['sql_query', 'rag_search', null, null]);
    const { activity } = deriveStoredAnswer(createReply(steps));
    assert.deepEqual(
      activity.map(({ fields }) => typeOf(fields)),
      ['sql_query', 'rag_search', null, null],
    );
  });

  test('are named and rendered again when their skill changes', () => {
    const answer = { result: { sql: 'SELECT 1', data: [{ n: 1 }], title: 'One' } };
    const shown = showReply(createReply([skillStep('finder', answer)]));
    assert.deepEqual(outline(shown.parts), ['tool finder done']);
    shown.apply(upsert(stepPath(0, 'skill_info'), info({ name: 'text2sql' })));
    assert.deepEqual(outline(shown.parts), ['tool text2sql done [table]']);
  });

  test('are titled by their arguments while they run, and by their result afterwards', () => {
    const args = [{ name: 'input', value: 'stock?' }];
    const running = skillStep('text2sql', null, {
      status: 'processing',
      skill_info: info({ name: 'text2sql', args }),
    });
    const shown = showReply(createReply([running]));
    const titleOf = ([part]: readonly PartTree[]): unknown =>
      part?.kind === 'tool' ? part.title : null;
    assert.equal(titleOf(shown.parts), 'stock?');
    shown.apply(
      upsert(stepPath(0, 'answer'), { result: { title: 'Stock per depot' } }),
      upsert(stepPath(0, 'status'), 'completed'),
    );
    assert.equal(titleOf(shown.parts), 'Stock per depot');
  });

  test('show their arguments by name', () => {
    const args = [
      { name: 'query', value: 'pumps' },
      { value: 3 },
      { name: 'query', value: 'again' },
      'loose',
    ];
    const [part] = showReply(
      createReply([skillStep('finder', null, { skill_info: info({ args }) })]),
    ).parts;
    assert.equal(
      part?.kind === 'tool' ? part.input : '',
      JSON.stringify({
        '1': { value: 3 },
        '2': { name: 'query', value: 'again' },
        '3': 'loose',
        query: 'pumps',
      }),
    );
  });

  test('show arguments that are an object, and those that have a `key` instead of a `name`', () => {
    const inputOf = (args: unknown): unknown => {
      const step = skillStep('finder', null, { skill_info: info({ args }) });
      const [part] = showReply(createReply([step])).parts;
      return part?.kind === 'tool' ? part.input : '';
    };
    assert.equal(inputOf({ b: 1, a: 2 }), '{"a":2,"b":1}');
    assert.equal(inputOf([{ key: 'k', value: 1 }, { name: 'q' }]), '{"k":1,"q":null}');
    assert.equal(inputOf([]), null);
  });

  test('without arguments show their input message', () => {
    const [part] = showReply(
      createReply([skillStep('finder', null, { input_message: 'Find pumps' })]),
    ).parts;
    assert.equal(part?.kind === 'tool' ? part.input : '', 'Find pumps');
  });

  test('have no result while they are running, and the current one when the run ends', () => {
    const shown = showReply(createReply([skillStep('finder', { a: 1 }, { status: 'processing' })]));
    const resultOf = () => (shown.parts[0]?.kind === 'tool' ? shown.parts[0].result : '');
    assert.equal(resultOf(), null);
    shown.finish();
    assert.equal(resultOf(), '{"a":1}');
  });

  test('show the text in a JSON result only after they have ended', () => {
    const answer = '{"answer":"Open","references":[]}';
    const running = { status: 'processing' };
    const shown = showReply(createReply([skillStep('online_search_cite_tool', answer, running)]));
    shown.apply(append(stepPath(0, 'answer'), '\n'));
    assert.deepEqual(outline(shown.parts), ['tool online_search_cite_tool running']);
    shown.apply(upsert(stepPath(0, 'status'), 'completed'));
    assert.deepEqual(outline(shown.parts), ['tool online_search_cite_tool done [text: Open]']);
  });

  test('leave no activity when they are removed', () => {
    const shown = showReply(createReply([skillStep('finder', null, { status: 'processing' })]));
    shown.apply(append(stepPath(0, 'answer'), 'x'));
    shown.apply({ path: stepPath(0), action: 'remove', value: null });
    assert.deepEqual([shown.parts, shown.tools, shown.outputs], [[], [], {}]);
  });
});

suite('tools of an answer: their states and times', () => {
  const STATES: readonly (readonly [status: unknown, answer: unknown, state: string])[] = [
    ['processing', null, 'running'],
    ['processing', { a: 1 }, 'running'],
    ['completed', null, 'done'],
    ['failed', { error: 'no table' }, 'failed'],
    ['skipped', { skipped: true }, 'skipped'],
    ['cancelled', null, 'cancelled'],
    [undefined, null, 'running'],
    [undefined, { a: 1 }, 'done'],
  ];
  for (const [status, answer, state] of STATES) {
    test(`are ${state} with the status ${String(status)} and ${answer === null ? 'no' : 'an'} answer`, () => {
      const { tools, parts } = showReply(createReply([skillStep('finder', answer, { status })]));
      assert.deepEqual(tools, [{ name: 'finder', state, elapsed: null }]);
      assert.deepEqual(outline(parts), [`tool finder ${state}`]);
    });
  }

  test('wait for the user while their step is interrupted, also at the end of the stream and when stored', () => {
    const step = skillStep('finder', null, { status: 'processing', interrupted: true });
    const shown = showReply(createReply([step]));
    assert.deepEqual(outline(shown.parts), ['tool finder waiting']);
    shown.finish();
    assert.deepEqual(outline(shown.parts), ['tool finder waiting']);
    assert.equal(shown.tools[0]?.state, 'waiting');
    const { parts, activity } = deriveStoredAnswer(createReply([step]));
    assert.deepEqual(outline(parts), ['tool finder waiting']);
    assert.equal(activity[0]?.fields.state, 'waiting');
    shown.apply(upsert(stepPath(0, 'interrupted'), false));
    assert.deepEqual(outline(shown.parts), ['tool finder running']);
  });

  test('are failed, with the reason, when their step is completed with an error as its answer', () => {
    const errors = [
      { description: 'No table.', code: 'E1', solution: '' },
      { error: 'No table.', details: '' },
    ];
    for (const name of ['finder', 'text2sql', 'zhipu_search_tool']) {
      for (const error of errors) {
        const [entry] = showReply(createReply([skillStep(name, error)])).view.activity;
        assert.deepEqual([entry?.fields.state, entry?.fields.reason], ['failed', 'No table.']);
      }
    }
    const results = [
      { description: 'A city.', code: 'LDN' },
      { error: '', details: 'None.' },
      { error: 'None.' },
    ];
    for (const result of results) {
      const [entry] = showReply(createReply([skillStep('finder', result)])).view.activity;
      assert.equal(entry?.fields.state, 'done');
    }
  });

  test('show a search of the web as ended when only the status of its step changes', () => {
    const step = skillStep('zhipu_search_tool', { result: null }, { status: 'processing' });
    const shown = showReply(createReply([step]));
    assert.deepEqual(outline(shown.parts), ['web-search']);
    shown.apply(upsert(stepPath(0, 'status'), 'cancelled'));
    assert.deepEqual(outline(shown.parts), ['tool zhipu_search_tool cancelled']);
  });

  test('give the reason when they have failed', () => {
    const step = skillStep('finder', { error: 'no table', details: '' }, { status: 'failed' });
    const [entry] = showReply(createReply([step])).view.activity;
    assert.equal(entry?.fields.reason, 'no table');
  });

  test('give no reason when they have not failed', () => {
    const [entry] = showReply(createReply([skillStep('finder', { error: 'x' })])).view.activity;
    assert.equal(entry?.fields.reason, '');
  });

  test('end although their text has grown in the same batch', () => {
    const shown = showReply(
      createReply([skillStep('finder', { log: 'a' }, { status: 'processing' })]),
    );
    shown.apply(
      append(stepPath(0, 'answer', 'log'), 'b'),
      upsert(stepPath(0, 'status'), 'completed'),
    );
    assert.deepEqual(shown.outputs, {});
    const [part] = shown.parts;
    assert.ok(part?.kind === 'tool');
    assert.deepEqual([part.state, part.result], ['done', '{"log":"ab"}']);
  });

  test('have the times of their step', () => {
    const elapsedOf = (times: object): unknown =>
      showReply(createReply([skillStep('finder', null, { ...times })])).tools[0]?.elapsed;
    assert.equal(elapsedOf({ start_time: 10.5, end_time: 12 }), 1500);
    assert.equal(elapsedOf({ start_time: 10, end_time: 10 }), 0);
    assert.equal(elapsedOf({ end_time: 10 }), null);
    assert.equal(elapsedOf({ start_time: 10 }), null);
  });

  test('have no duration when they end before they start', () => {
    const times = { start_time: 12, end_time: 10 };
    const { tools } = showReply(createReply([skillStep('finder', null, times)]));
    assert.deepEqual(tools, [{ name: 'finder', state: 'done', elapsed: null }]);
  });

  test('change only when both times of their step are known', () => {
    const shown = showReply(createReply([skillStep('finder', { a: 1 })]));
    assert.deepEqual(shown.apply(upsert(stepPath(0, 'end_time'), 12)), []);
    assert.notDeepEqual(shown.apply(upsert(stepPath(0, 'start_time'), 10)), []);
    assert.equal(shown.tools[0]?.elapsed, 2000);
  });
});

suite('growing texts of tools', () => {
  test('inside their answer are output until the tools have ended', () => {
    const shown = showReply(
      createReply([skillStep('finder', { log: 'a' }, { status: 'processing' })]),
    );
    shown.apply(append(stepPath(0, 'answer', 'log'), 'b'));
    shown.apply(append(stepPath(0, 'answer', 'log'), 'c'));
    assert.deepEqual(shown.outputs, { log: 'abc' });
    shown.apply(upsert(stepPath(0, 'status'), 'completed'));
    assert.deepEqual(shown.outputs, {});
    const [part] = shown.parts;
    assert.equal(part?.kind === 'tool' ? part.result : '', '{"log":"abc"}');
  });

  test('are output when they are the whole answer', () => {
    const shown = showReply(createReply([skillStep('finder', '', { status: 'processing' })]));
    shown.apply(append(stepPath(0, 'answer'), 'line 1'));
    assert.deepEqual(shown.outputs, { answer: 'line 1' });
  });

  test('may have names with a slash or a tilde', () => {
    const names = ['/srv/app.log', 'a/b', 'a~1b', '~0', '/'];
    const answer = {
      a: { b: 'other' },
      files: Object.fromEntries(names.map((name) => [name, 'a'])),
    };
    const shown = showReply(createReply([skillStep('finder', answer, { status: 'processing' })]));
    for (const name of names) shown.apply(append(stepPath(0, 'answer', 'files', name), 'b'));
    assert.deepEqual(shown.outputs, Object.fromEntries(names.map((name) => [name, 'ab'])));
  });

  test('are at most 20 outputs of a tool', () => {
    const names = Array.from({ length: 25 }, (_, at) => `log${String(at)}`);
    const answer = Object.fromEntries(names.map((name) => [name, 'a']));
    const shown = showReply(createReply([skillStep('finder', answer, { status: 'processing' })]));
    shown.apply(...names.map((name) => append(stepPath(0, 'answer', name), 'b')));
    assert.deepEqual(
      shown.outputs,
      Object.fromEntries(names.slice(0, 20).map((name) => [name, 'ab'])),
    );
  });

  test('of agents are shown in the tool', () => {
    const agent = skillStep('reader', null, {
      status: 'processing',
      skill_info: info({ type: 'AGENT' }),
    });
    const shown = showReply(createReply([agent]));
    shown.apply(upsert(stepPath(0, 'answer'), { answer: 'Clause' }));
    assert.deepEqual(shown.apply(append(stepPath(0, 'answer', 'answer'), ' 4')), [
      { type: 'text', message: 'm', part: 'step-0-text', at: 6, text: ' 4' },
    ]);
    assert.deepEqual(outline(shown.parts), ['tool finder running [text: Clause 4]']);
  });

  const envelopes: readonly (readonly [name: string, answer: object, path: readonly string[]])[] = [
    ['the text of the result', { result: { answer: 'Clause' } }, ['result', 'answer']],
    [
      'the text of the complete result',
      { result: { answer: 'Sample' }, full_result: { answer: 'Clause' } },
      ['full_result', 'answer'],
    ],
    [
      'the text of the result, because the complete one has none',
      { result: { answer: 'Clause' }, full_result: { pages: 3 } },
      ['result', 'answer'],
    ],
    [
      'the text of the answer, because the complete result is a text itself',
      { answer: 'Clause', result: { answer: 'Sample' }, full_result: 'all' },
      ['answer'],
    ],
  ];
  for (const [name, answer, path] of envelopes) {
    test(`are shown in the tool, and not as output too, when they are ${name}`, () => {
      const running = { status: 'processing' };
      const shown = showReply(createReply([skillStep('finder', answer, running)]));
      assert.deepEqual(shown.apply(append(stepPath(0, 'answer', ...path), ' 4')), [
        { type: 'text', message: 'm', part: 'step-0-text', at: 6, text: ' 4' },
      ]);
      assert.deepEqual(outline(shown.parts), ['tool finder running [text: Clause 4]']);
      assert.deepEqual(shown.outputs, {});
    });
  }

  test('are shown in the tool, and not as output too, when they begin empty', () => {
    for (const answer of [{ answer: '' }, { result: { answer: '' } }]) {
      const path = stepPath(0, 'answer', ...('result' in answer ? ['result'] : []), 'answer');
      const running = { status: 'processing' };
      const shown = showReply(createReply([skillStep('finder', answer, running)]));
      shown.apply(append(path, 'Clause'));
      shown.apply(append(path, ' 4'));
      shown.apply(upsert(stepPath(0, 'answer', 'pages'), 3));
      assert.deepEqual(outline(shown.parts), ['tool finder running [text: Clause 4]']);
      assert.deepEqual(shown.outputs, {});
    }
  });
});

suite('entries of `skill_process`', () => {
  test('are tools, which follow their thinking, if they have a type, and texts otherwise, also with a name', () => {
    const entries = [
      { agent_name: 'writer', text: 'Reads', thinking: 'Hm', status: 'processing' },
      { text: '', thinking: 'Open', status: 'processing' },
      {
        agent_name: 'reader',
        type: 'tool',
        text: 'x',
        thinking: 'T',
        status: 'completed',
        input_message: 'Read it',
      },
    ];
    const { parts } = showReply(createReply([], { skill_process: entries }));
    assert.deepEqual(outline(parts), [
      'thinking: Hm',
      'text: Reads',
      'thinking: Open',
      'thinking: T',
      'tool reader done [text: x]',
    ]);
    const states = parts.flatMap((part) => (part.kind === 'thinking' ? [part.state] : []));
    assert.deepEqual(states, ['closed', 'open', 'closed']);
    const tool = parts.at(-1);
    assert.equal(tool?.kind === 'tool' ? tool.input : '', 'Read it');
  });

  test('have the states of tools if they have a type', () => {
    const tool = { agent_name: 'reader', type: 'tool', text: 'x' };
    const entry = (status: string, interrupted = false) => ({ ...tool, status, interrupted });
    const entries = [
      entry('processing', true),
      entry('processing'),
      entry('failed'),
      entry('skipped'),
      entry('completed', true),
    ];
    const shown = showReply(createReply([], { skill_process: entries }));
    const states = () => shown.parts.flatMap((part) => (part.kind === 'tool' ? [part.state] : []));
    assert.deepEqual(states(), ['waiting', 'running', 'failed', 'skipped', 'done']);
    const path = ['message', 'content', 'final_answer', 'skill_process', 0, 'interrupted'];
    shown.apply(upsert(path, false));
    assert.equal(states()[0], 'running');
  });
});

suite('errors of an answer', () => {
  const errorOf = (root: Record<string, unknown>): PartTree | undefined =>
    showReply(root).parts.find(({ kind }) => kind === 'error');
  const base = { error_code: 'A.B', description: 'It failed.', solution: 'Try again.' };

  const described = { message: 'It failed.', code: 'A.B', advice: 'Try again.' };
  const undescribed = { message: 'It failed.', code: undefined, advice: undefined };

  /** What the error part shows. */
  const shownOf = (root: Record<string, unknown>) => {
    const part = errorOf(root);
    if (part?.kind !== 'error') return null;
    const { message, code, advice } = part;
    return { message, code, advice };
  };

  for (const [name, error, expected] of [
    ['an envelope', { HTTPCode: 500, BaseError: base }, described],
    ['no envelope', base, described],
    ['a type and an error', { type: 'agent_executor', error: base }, described],
    ['a text', 'It failed.', undescribed],
    ['a text in an object', { error: 'It failed.' }, undescribed],
    ['only a code', { error_code: 'A.B' }, { message: '', code: 'A.B', advice: undefined }],
  ] as const) {
    test(`are read from ${name}`, () => {
      assert.deepEqual(shownOf({ ...createReply([]), error }), expected);
    });
  }

  test('have the description of `ext.error` when `error` has only a code, and vice versa', () => {
    const onlyCode = { error_code: 'X.Y' };
    const replyOf = (error: unknown, extensionError: unknown): Record<string, unknown> => ({
      message: { content: null, ext: { error: { type: 'agent_executor', error: extensionError } } },
      error,
    });
    assert.deepEqual(shownOf(replyOf(onlyCode, base)), described);
    assert.deepEqual(shownOf(replyOf(base, onlyCode)), described);
    assert.deepEqual(shownOf(replyOf('It failed.', onlyCode)), {
      ...undescribed,
      code: 'X.Y',
    });
    // A stored answer has no member `error`.
    assert.deepEqual(shownOf(replyOf(undefined, base)), described);
  });

  for (const error of [null, '', {}, undefined]) {
    test(`are none when the member is ${JSON.stringify(error)}`, () => {
      assert.equal(errorOf({ ...createReply([]), error }), undefined);
    });
  }

  test('come last, and are removed when the service removes them', () => {
    const shown = showReply(createReply([modelStep('a')]));
    shown.apply(upsert(['error'], 'It failed.'));
    shown.apply(append(stepPath(1), modelStep('b')));
    assert.deepEqual(
      shown.parts.map(({ kind }) => kind),
      ['text', 'text', 'error'],
    );
    shown.apply(upsert(['error'], null));
    assert.deepEqual(outline(shown.parts), ['text: a', 'text: b']);
  });

  for (const path of [['message', 'ext'], ['message']]) {
    test(`of the executor stay when ${path.join('.')} is emptied`, () => {
      const shown = showReply(createReply([modelStep('a')]));
      shown.apply(upsert(['message', 'ext'], { error: { type: 'x', error: base } }));
      shown.apply(upsert(path, null));
      assert.equal(shown.parts.at(-1)?.kind, 'error');
    });
  }
});

suite('sources of an answer', () => {
  const withMiddle = (middle: object): Record<string, unknown> => ({
    message: { content: { middle_answer: middle, final_answer: { answer: { text: 'Yes.' } } } },
  });

  test('come before the final text', () => {
    const root = withMiddle({ doc_retrieval: { text: 'p. 3', cites: [] } });
    assert.deepEqual(outline(showReply(root).parts), [
      'tool doc_retrieval done [text: p. 3]',
      'text: Yes.',
    ]);
  });

  test('are not shown when a tool has cited documents', () => {
    const cites = [{ doc_name: 'manual.pdf' }];
    const progress = [skillStep('doc_qa', { result: { text: 'x', cites } })];
    const root = withMiddle({ progress, doc_retrieval: { text: 'p. 3', cites } });
    assert.deepEqual(outline(showReply(root).parts), [
      'tool doc_qa done [text: x, passages]',
      'text: Yes.',
    ]);
  });

  test('are removed when a tool cites documents later', () => {
    const shown = showReply(withMiddle({ progress: [], doc_retrieval: { text: 'p. 3' } }));
    shown.apply(
      append(stepPath(0), skillStep('doc_qa', { text: 'x', cites: [{ doc_name: 'a' }] })),
    );
    assert.deepEqual(outline(shown.parts), ['tool doc_qa done [text: x, passages]', 'text: Yes.']);
  });

  test('of searches are one part for each query', () => {
    const variables = {
      search_queries: ['first', 'second'],
      search_results: [['paired', [{ title: 'A' }]], [{ title: 'B' }]],
    };
    const { search_queries: queries, ...others } = variables;
    for (const named of [variables, { ...others, search_querys: queries }]) {
      const { parts } = showReply(withMiddle({ other_variables: named }));
      assert.deepEqual(
        parts.flatMap((part) => (part.kind === 'web-search' ? [part.query] : [])),
        ['paired', 'second'],
      );
    }
  });

  test('of a graph and of searches without a list are tools with their results', () => {
    const variables = { search_queries: ['first'], search_results: [{ raw: 1 }, [], null] };
    const root = withMiddle({ graph_retrieval: { nodes: [1] }, other_variables: variables });
    const tools = showReply(root).parts.flatMap((part) =>
      part.kind === 'tool' ? [[part.name, part.input, part.result]] : [],
    );
    assert.deepEqual(tools, [
      ['graph_retrieval', null, '{"nodes":[1]}'],
      ['web_search', '{"query":"first"}', '{"raw":1}'],
    ]);
    assert.deepEqual(outline(showReply(withMiddle({ graph_retrieval: [] })).parts), ['text: Yes.']);
  });

  test('that are texts are tools with the text as their result', () => {
    const root = withMiddle({
      doc_retrieval: 'p. 3',
      graph_retrieval: 'node 7',
      other_variables: { search_results: ['no hits'] },
    });
    const tools = showReply(root).parts.flatMap((part) =>
      part.kind === 'tool' ? [[part.name, part.input, part.result]] : [],
    );
    assert.deepEqual(tools, [
      ['doc_retrieval', null, 'p. 3'],
      ['graph_retrieval', null, 'node 7'],
      ['web_search', null, 'no hits'],
    ]);
  });

  test('of documents without a text have no result when their passages show everything', () => {
    const cites = [{ doc_name: 'manual.pdf', content: 'Turn it off.' }];
    const [tool] = showReply(withMiddle({ doc_retrieval: { cites } })).parts;
    assert.ok(tool?.kind === 'tool');
    assert.deepEqual([tool.input, tool.result], [null, null]);
    assert.deepEqual(outline(tool.parts ?? []), ['passages']);
  });

  test('are cited by later texts', () => {
    const cites = [{ doc_name: 'manual.pdf' }];
    const steps = [
      skillStep('doc_qa', { full_result: { text: 'See <i slice_idx=0>1</i>.', cites } }),
      modelStep('As said <i slice_idx=0>1</i>'),
    ];
    const { parts } = showReply(createReply(steps));
    const marks = [parts[0]?.parts?.[0], parts[1]].map((part) =>
      part?.kind === 'text' ? part.marks?.['c1']?.title : null,
    );
    assert.deepEqual(marks, ['manual.pdf', 'manual.pdf']);
  });

  for (const order of ['search first', 'documents first']) {
    test(`of both kinds are cited by a later text, ${order}`, () => {
      const references = [{ index: 0, title: 'News', link: 'https://news.example/a' }];
      const cites = [{ doc_name: 'manual.pdf' }];
      const tools = [
        skillStep('online_search_cite_tool', { answer: 'Open', references }),
        skillStep('doc_qa', { full_result: { text: 'See', cites } }),
      ];
      if (order === 'documents first') tools.reverse();
      const text = modelStep('By <i index=0>0</i> and <i slice_idx=0>1</i>.');
      const last = showReply(createReply([...tools, text])).parts.at(-1);
      const titles = ['c1', 'c2'].map((key) =>
        last?.kind === 'text' ? last.marks?.[key]?.title : null,
      );
      assert.deepEqual(titles, ['News', 'manual.pdf']);
    });
  }

  test('of a search with citations are counted from 0', () => {
    const references = [{ index: 0, title: 'News', link: 'https://news.example/a', content: 'x' }];
    const answer = { answer: 'Open <i index="0">0</i>', references };
    const { parts } = showReply(createReply([skillStep('online_search_cite_tool', answer)]));
    const text = parts[0]?.parts?.[0];
    assert.equal(text?.kind === 'text' ? text.marks?.['c1']?.url : '', 'https://news.example/a');
  });

  test('link to sources that arrive after the text', () => {
    const news = { index: 0, title: 'News', link: 'https://news.example/a' };
    const text = 'x <i index=0>0</i> [0]';
    const shown = showReply(
      createReply(
        [
          skillStep('online_search_cite_tool', { answer: text, references: [] }),
          modelStep(text, { think: text }),
        ],
        { answer: { text: `Final ${text}` }, thinking: `Final ${text}` },
      ),
    );
    shown.apply(append(stepPath(0, 'answer', 'references', 0), news));
    const stored = deriveStoredAnswer(shown.reply.root);
    assert.match(JSON.stringify(stored.parts), /news\.example/u);
    assert.deepEqual(shown.parts, showReply(shown.reply.root).parts);
    shown.finish();
    assert.deepEqual(shown.parts, stored.parts);
  });

  test('an incomplete citation is shown when it is complete, and as text at the end', () => {
    const shown = showReply(createReply([modelStep('a <i ind')]));
    assert.equal(shown.parts[0]?.text, 'a ');
    shown.apply(append(stepPath(0, 'answer'), 'ex=0>1</i> <i'));
    assert.equal(shown.parts[0]?.text, 'a \uE000c1\uE001 ');
    shown.finish();
    assert.equal(shown.parts[0]?.text, 'a \uE000c1\uE001 <i');
  });
});

suite('changes of an answer', () => {
  test('replace the whole content when it is sent as a whole', () => {
    const shown = new ShownAnswer();
    const changes = shown.view.update(createReply([modelStep('a')]), 'all');
    assert.deepEqual(
      changes.map(({ type }) => type),
      ['content'],
    );
  });

  test('insert a part before those of later sections', () => {
    const shown = showReply(createReply([], { thinking: 'Hm', answer: { text: 'Yes.' } }));
    shown.apply(append(stepPath(0), skillStep('finder', null)));
    assert.deepEqual(outline(shown.parts), ['tool finder done', 'thinking: Hm', 'text: Yes.']);
  });

  test('of steps that arrive in one batch in the wrong order are applied in the right one', () => {
    const shown = showReply(createReply([modelStep(''), modelStep('')]));
    shown.apply(append(stepPath(1, 'answer'), 'b'), append(stepPath(0, 'answer'), 'a'));
    assert.deepEqual(outline(shown.parts), ['text: a', 'text: b']);
  });
});
