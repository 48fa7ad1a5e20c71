import { FORGED_FILES, type Attack } from './attacks.js';

/** A reply of a Data Agent: a JSON document. */
export type Reply = Readonly<Record<string, unknown>>;

/** How a hostile run ends. */
export type HostileEnd = 'complete' | 'failed' | 'waiting';

/** Raw JSON, because an object literal would not have `__proto__` as a name. */
const POLLUTION: unknown = JSON.parse(
  '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}',
);

/** Addresses for page cards, links and icons. None may be requested, and only those with HTTP and without a password may become links. */
const ADDRESSES = [
  "javascript:ran('address')",
  "data:text/html,<script>parent.ran('address')</script>",
  'https://user:secret@evil.test/',
  'https://evil.test/card',
  '//evil.test/card',
];

const modelStep = (text: string): object => ({
  ...{ id: text, stage: 'llm', agent_name: text, status: 'completed', flags: text },
  ...{ answer: text, think: text, skill_info: null, input_message: text, block_answer: text },
});

function skillStep(name: string, answer: unknown, text: string, type = 'TOOL'): object {
  const args = [
    { name: 'query', value: text, type: text },
    { name: 'content', value: text, type: 'str' },
    { name: text, value: POLLUTION, type: 'object' },
  ];
  const info = { type, name, args, checked: true };
  const times = { start_time: 1, end_time: 2 };
  return { id: name, stage: 'skill', status: 'completed', answer, skill_info: info, ...times };
}

/** Rows whose columns and cells are hostile. */
const listRows = (texts: readonly string[]): object[] =>
  texts.map((text, index) => ({ [texts[0] ?? '']: text, [texts[1] ?? '']: index + 1 }));

/** Steps of each skill whose results have a special view, a step of another agent, and a step of an unknown skill. */
function listSkillSteps(texts: readonly string[]): object[] {
  const [text = '', other = '', third = ''] = texts;
  const all = texts.join('\n\n');
  const data = listRows(texts);
  const items = ADDRESSES.map((link) => ({
    title: text,
    link,
    icon: link,
    media: text,
    content: text,
  }));
  const calls = [
    { id: 'c', type: 'search_intent', search_intent: [{ query: text, keywords: other }] },
    {
      id: 'c',
      type: 'search_result',
      search_result: [...items, ...FORGED_FILES.map((link) => ({ link }))],
    },
  ];
  const charts = ['Line', 'Column', 'Pie', 'Circle', text].map((type) => {
    const config = { xField: text, colorField: text, yField: other, angleField: other };
    const result = { title: text, text, data, chart_config: { ...config, chart_type: type } };
    return skillStep('json2plot', { result, full_result: result }, text);
  });
  const cites = [{ doc_name: text, content: text, doc_id: text, slices: [{ content: all }] }];
  const entries = [
    { type: text, id: text, title: text, reason: text, matched_columns: [POLLUTION] },
  ];
  return [
    skillStep('text2sql', { result: { sql: text, data, title: other, message: third } }, text),
    skillStep('text2sql', { result: { sql: all, title: other } }, text),
    ...charts,
    skillStep('text2metric', { result: { title: text, unit: other, data } }, text),
    skillStep('zhipu_search_tool', { choices: [{ message: { tool_calls: calls } }] }, text),
    skillStep(
      'online_search_cite_tool',
      { answer: { answer: `${all}<i index="0">0</i>`, references: [{ index: 0, ...items[0] }] } },
      text,
    ),
    skillStep('doc_qa', { full_result: { text: `${all}<i slice_idx=0>1</i>`, cites } }, text),
    skillStep('execute_code', { result: { result: { stdout: all, stderr: text } } }, all),
    skillStep('execute_command', { result: { result: { stdout: all, stderr: text } } }, all),
    ...ADDRESSES.map((url) => skillStep('web_processor', { result: { url, title: text } }, text)),
    skillStep('datasource_filter', { result: { result: entries } }, text),
    skillStep('kn_search', { result: { nodes: [{ data_properties: data[0] }] } }, text),
    skillStep('reader', { answer: all }, text, 'AGENT'),
    skillStep(text, { [text]: all, html: text, POLLUTION }, text, text),
  ];
}

function createErrorBody(text: string): object {
  const [error_link] = ADDRESSES;
  const base = { error_code: text, description: text, solution: text, error_link };
  return { HTTPCode: 500, Language: text, BaseError: { ...base, error_details: text } };
}

function createExtension(texts: readonly string[], end: HostileEnd): object {
  const [text = ''] = texts;
  const shared = { agent_run_id: 'r1', ttft: text, [text]: POLLUTION };
  if (end === 'complete') {
    return { ...shared, related_queries: texts, total_time: 1, total_tokens: 2 };
  }
  if (end === 'failed') {
    return { ...shared, error: { type: text, error: createErrorBody(text) } };
  }
  const data = {
    tool_name: text,
    tool_description: text,
    tool_args: texts.map((key) => ({ key, value: key, type: 'string' })),
    interrupt_config: { requires_confirmation: true, confirmation_message: texts.join('\n\n') },
  };
  return { ...shared, interrupt_info: { handle: { resume_token: text }, data } };
}

/** A reply in which every text is hostile. */
export function createHostileReply(attacks: readonly Attack[], end: HostileEnd): Reply {
  const texts = attacks.map(({ text }) => text);
  const [text = ''] = texts;
  const all = texts.join('\n\n');
  const process = { agent_name: text, type: text, text: all, thinking: text, status: 'completed' };
  const content = {
    final_answer: {
      ...{ query: text, answer: { text: all, ask: text, cites: POLLUTION }, thinking: all },
      ...{ skill_process: [process], answer_type_other: { [text]: text, POLLUTION } },
    },
    middle_answer: {
      progress: [...texts.map(modelStep), ...listSkillSteps(texts)],
      doc_retrieval: { text: all, cites: [{ doc_name: text, content: all }] },
      graph_retrieval: { [text]: text },
      other_variables: { search_querys: texts, search_results: [[text, [{ title: text }]]] },
    },
  };
  const ext = createExtension(texts, end);
  return {
    conversation_id: 'c1',
    user_message_id: 'u1',
    assistant_message_id: 'm1',
    agent_run_id: 'r1',
    message: {
      id: 'm1',
      reply_id: 'u1',
      index: 2,
      role: 'assistant',
      content,
      content_type: text,
      ext,
    },
    error: end === 'failed' ? createErrorBody(text) : null,
  };
}

/** The stream of a reply: its members one after the other, then patches that try to change prototypes. */
export function printReply(reply: Reply): string[] {
  const print = (patch: object): string => `data: ${JSON.stringify(patch)}\n\n`;
  const unsafe = ['__proto__', 'prototype', 'constructor'].flatMap((name) =>
    [[name, 'polluted'], ['message', name, 'polluted'], `message.${name}.polluted`].map((key) => ({
      ...{ key, content: 1, action: 'upsert' },
    })),
  );
  const members = Object.entries(reply).map(([name, content]) => ({
    ...{ key: [name], content, action: 'upsert' },
  }));
  const end = { key: [], content: null, action: 'end' };
  return [...members, ...unsafe, end].map((patch, index) => print({ seq_id: index, ...patch }));
}

/** Responses of the service by their paths below `/api`: a stored conversation with a reply, and a description of the agent. */
export function listHostileResponses(
  attacks: readonly Attack[],
  reply: Reply,
): Map<string, unknown> {
  const texts = attacks.map(({ text }) => text);
  const [text = '', other = ''] = texts;
  const app = '/agent-factory/v1/app/a';
  const { content, ext } = reply['message'] as { readonly content: unknown; readonly ext: unknown };
  const question = {
    ...{ id: 'u1', index: 1, origin: 'user', status: 'processed', ext: '' },
    content: JSON.stringify({ text: texts.join('\n\n'), selected_files: [{ file_name: text }] }),
  };
  const answer = {
    ...{ id: 'm1', index: 2, origin: 'assistant', reply_id: 'u1', status: 'succeded' },
    ...{ content: JSON.stringify(content), ext: JSON.stringify(ext), content_type: text },
  };
  const models = [text, other].map((name) => ({ llm_config: { name, model_type: 'rlm' } }));
  const zone = {
    allowed_file_types: texts,
    max_file_count: text,
    single_file_size_limit_unit: text,
  };
  const config = {
    opening_remark_config: { type: 'fixed', fixed_opening_remark: texts.join('\n\n') },
    preset_questions: texts.map((each) => ({ question: each })),
    llms: models,
    input: { fields: [{ name: text, type: 'string' }], temp_zone_config: zone },
  };
  return new Map<string, unknown>([
    [`${app}/conversation`, { id: 'c1', entries: [], total: 0 }],
    [`${app}/conversation/c1`, { id: 'c1', title: text, Messages: [question, answer] }],
    [`${app}/conversation/c1/mark_read`, {}],
    [
      '/agent-factory/v3/agent-market/agent/a/version/latest',
      { id: 'a', name: text, profile: text, config },
    ],
  ]);
}
