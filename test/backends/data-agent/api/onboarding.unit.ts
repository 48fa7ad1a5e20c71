import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createDataAgentBackend,
  type DataAgentBackendOptions,
} from '../../../../src/backends/data-agent/index.js';
import { jsonResponse, errorOf } from '../../../helpers/http-client.js';
import { createTestEnvironment } from '../../../helpers/test-environment.js';
import { method } from '../support/connect.js';
import { refuse } from '../support/scripted-service.js';

function setup(config: object, options: Partial<DataAgentBackendOptions> = {}) {
  const environment = createTestEnvironment({
    respond: ({ url }) =>
      url.includes('/agent-market/')
        ? jsonResponse({ id: '01AGENT', config })
        : jsonResponse({ id: 'C' }),
  });
  const backend = createDataAgentBackend({ agentId: 'key', environment, ...options });
  return { environment, backend, load: () => method(backend, 'loadOnboarding')() };
}

test('loadOnboarding returns the greeting and the preset questions of the version that answers questions', async () => {
  const { environment, load } = setup(
    {
      opening_remark_config: { type: 'fixed', fixed_opening_remark: 'Hello **you**' },
      preset_questions: [{ question: 'Where?' }, 'Who?', { question: '' }, 7],
    },
    { agentVersion: 'v2' },
  );
  assert.deepEqual(await load(), { greeting: 'Hello **you**', starters: ['Where?', 'Who?'] });
  const { url } = environment.requests[0] ?? {};
  assert.equal(url?.pathname, '/api/agent-factory/v3/agent-market/agent/key/version/v2');
});

test('loadOnboarding returns no greeting when a model generates it on request', async () => {
  const config = { opening_remark_config: { type: 'dynamic', fixed_opening_remark: 'old' } };
  assert.equal((await setup(config).load()).greeting, null);
});

test('loadOnboarding returns the options of a message as a schema', async () => {
  const { load } = setup({
    llms: [
      { is_default: true, llm_config: { name: 'small', model_type: 'llm' } },
      { llm_config: { name: 'deep', model_type: 'rlm' } },
    ],
    input: {
      fields: [
        { name: 'query', type: 'string' },
        { name: 'history', type: 'object' },
        { name: 'river', type: 'string' },
        { name: 'filter', type: 'object' },
        { name: 'upload', type: 'file' },
      ],
    },
  });
  assert.deepEqual((await load()).messageOptions, {
    type: 'object',
    properties: {
      deepThinking: { type: 'boolean' },
      model: { type: 'string', enum: ['small', 'deep'], default: 'small' },
      inputs: { type: 'object', properties: { river: { type: 'string' }, filter: {} } },
    },
  });
});

test('loadOnboarding uses the message options of the backend as defaults of the schema', async () => {
  const { load } = setup(
    {
      llms: [
        { is_default: true, llm_config: { name: 'small', model_type: 'llm' } },
        { llm_config: { name: 'deep', model_type: 'rlm' } },
      ],
      input: { fields: [{ name: 'river', type: 'string' }] },
    },
    { messageOptions: { deepThinking: true, model: 'deep', inputs: { river: 'Rhine' } } },
  );
  const { properties } = (await load()).messageOptions as { properties: Record<string, object> };
  assert.deepEqual(
    Object.values(properties).map((schema) => (schema as { default?: unknown }).default),
    [true, 'deep', { river: 'Rhine' }],
  );
});

test('loadOnboarding returns no option that has only one value', async () => {
  const { load } = setup({ llms: [{ llm_config: { name: 'small', model_type: 'llm' } }] });
  assert.equal((await load()).messageOptions, undefined);
});

test('loadOnboarding returns the limits of uploads', async () => {
  const zone = { max_file_count: 5, single_file_size_limit: 10, single_file_size_limit_unit: 'MB' };
  const { load } = setup({
    input: { temp_zone_config: { ...zone, allowed_file_types: ['md', '.pdf'] } },
  });
  assert.deepEqual((await load()).uploadLimits, {
    maxFiles: 5,
    maxBytes: 10_485_760,
    types: ['.md', '.pdf'],
  });
});

test('loadOnboarding returns no limit that the service does not name', async () => {
  const limitsOf = async (zone: object) =>
    (await setup({ input: { temp_zone_config: zone } }).load()).uploadLimits;
  const none = { maxFiles: undefined, maxBytes: undefined, types: undefined };
  assert.deepEqual(await limitsOf({}), none);
  assert.deepEqual(await limitsOf({ single_file_size_limit: 10 }), none);
  assert.deepEqual(await limitsOf({ single_file_size_limit_unit: 'kb' }), none);
  assert.deepEqual(await limitsOf({ allowed_file_types: ['', 7] }), none);
  const kilobytes = { single_file_size_limit: 2, single_file_size_limit_unit: 'kb' };
  assert.deepEqual(await limitsOf(kilobytes), { ...none, maxBytes: 2048 });
  assert.equal((await setup({}).load()).uploadLimits, undefined);
});

test('loadOnboarding sets the id of the agent for later requests', async () => {
  const { environment, backend, load } = setup({});
  await load();
  await backend.createThread();
  assert.match(environment.requests[1]?.init.body as string, /"agent_id":"01AGENT"/u);
});

test('failed loadOnboarding does not prevent later requests', async () => {
  const environment = createTestEnvironment({
    respond: ({ url }) =>
      url.includes('/agent-market/') ? refuse(500, 'x') : jsonResponse({ id: 'C' }),
  });
  const backend = createDataAgentBackend({ agentId: 'key', environment });
  assert.equal((await errorOf(method(backend, 'loadOnboarding')())).code, 'server');
  assert.equal((await backend.createThread()).id, 'C');
});
