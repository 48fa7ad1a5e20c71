import type { Json } from '../../../model/json.js';
import type { Onboarding, UploadLimits } from '../../backend.js';
import {
  asFields,
  asList,
  readFlag,
  readId,
  readNumber,
  readText,
  type Fields,
} from '../../fields.js';
import type { DataAgentMessageOptions } from '../options.js';
import type { DataAgentClient } from './client.js';

/** Inputs that the service fills itself. */
const INTERNAL_INPUTS: ReadonlySet<string> = new Set([
  'history',
  'query',
  'header',
  'tool',
  'self_config',
]);

/** JSON Schema types by the service's types of inputs. */
const INPUT_TYPES: ReadonlyMap<string | null, Json> = new Map([
  ['string', { type: 'string' }],
  ['object', {}],
]);

/** Units of sizes; each is 1,024 times the one before it. */
const UNITS: readonly unknown[] = ['B', 'KB', 'MB', 'GB'];

/** Loads what a chat shows before the first message, and keeps the id of the agent for later requests. */
export async function loadOnboarding(
  client: DataAgentClient,
  signal?: AbortSignal,
): Promise<Onboarding> {
  const answer = asFields(await client.loadAgent(signal)) ?? {};
  const agent = asFields(answer['data']) ?? answer;
  client.agentId = readId(agent, 'id') ?? client.agentId;
  const config = asFields(agent['config']) ?? {};
  const opening = asFields(config['opening_remark_config']) ?? {};
  // A dynamic remark is written by the model when it is asked: there is no text to show.
  const isFixed = readText(opening, 'type') !== 'dynamic';
  const messageOptions = readMessageOptions(config, client.options.messageOptions ?? {});
  const uploadLimits = readUploadLimits(config);
  return {
    greeting: (isFixed && readText(opening, 'fixed_opening_remark')) || null,
    starters: readQuestions(config['preset_questions'], 'question'),
    ...(messageOptions && { messageOptions }),
    ...(uploadLimits && { uploadLimits }),
  };
}

/** Questions, as texts or as objects with the text under `name`. */
export function readQuestions(value: unknown, name: string): string[] {
  return asList(value).flatMap((item) => {
    const question = typeof item === 'string' ? item : readText(asFields(item) ?? {}, name);
    return question ? [question] : [];
  });
}

/** JSON Schema of the options that a message to this agent can have; null when it can have none. `defaults` are those of the backend. */
function readMessageOptions(config: Fields, defaults: DataAgentMessageOptions): Json {
  const models = asList(config['llms']).flatMap((item) => {
    const fields = asFields(item) ?? {};
    const model = asFields(fields['llm_config']) ?? {};
    const name = readText(model, 'name');
    const isReasoning = readText(model, 'model_type') === 'rlm';
    return name ? [{ name, isReasoning, isDefault: readFlag(fields, 'is_default') ?? false }] : [];
  });
  const inputs = asList(asFields(config['input'])?.['fields']).flatMap((item) => {
    const fields = asFields(item) ?? {};
    const name = readText(fields, 'name');
    const schema = INPUT_TYPES.get(readText(fields, 'type'));
    return name && schema !== undefined && !INTERNAL_INPUTS.has(name)
      ? [[name, schema] as const]
      : [];
  });
  const properties: [string, Json][] = [];
  if (models.some(({ isReasoning }) => isReasoning)) {
    const { deepThinking } = defaults;
    properties.push(['deepThinking', { type: 'boolean', ...withDefault(deepThinking) }]);
  }
  if (models.length > 1) {
    const names = models.map(({ name }) => name);
    const model = defaults.model ?? models.find(({ isDefault }) => isDefault)?.name;
    properties.push(['model', { type: 'string', enum: names, ...withDefault(model) }]);
  }
  if (inputs.length > 0) {
    const schema = { type: 'object', properties: Object.fromEntries(inputs) };
    properties.push(['inputs', { ...schema, ...withDefault(defaults.inputs) }]);
  }
  if (properties.length === 0) return null;
  return { type: 'object', properties: Object.fromEntries(properties) };
}

function withDefault(value: Json | undefined): { readonly default?: Json } {
  return value === undefined ? {} : { default: value };
}

function readUploadLimits(config: Fields): UploadLimits | null {
  const zone = asFields(asFields(config['input'])?.['temp_zone_config']);
  if (!zone) return null;
  const unit = UNITS.indexOf(readText(zone, 'single_file_size_limit_unit')?.toUpperCase());
  const size = readNumber(zone, 'single_file_size_limit');
  const types = asList(zone['allowed_file_types']).flatMap((type) =>
    typeof type === 'string' && type !== '' ? [`.${type.replace(/^\./, '')}`] : [],
  );
  return {
    maxFiles: readNumber(zone, 'max_file_count') ?? undefined,
    maxBytes: unit >= 0 && size !== null ? size * 1024 ** unit : undefined,
    types: types.length > 0 ? types : undefined,
  };
}
