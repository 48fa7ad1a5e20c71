import type { Json } from '../json.js';
import { keyWordsOf } from '../plan/words.js';
import { ToolFailure } from '../run/signals.js';
import type { Work } from '../run/skill.js';
import type { ToolCall } from '../run/tool-caller.js';
import { searchCall } from '../skills/search.js';
import { queryCall } from '../skills/rivers.js';
import { evaluate } from '../tools/expression.js';
import type { RiverDatabase } from '../tools/river-database.js';
import type { ModelCall } from './ask-model.js';
import { readArguments } from './talk.js';

function describe(name: string, description: string, argument: string, meaning: string): Json {
  return {
    type: 'function',
    function: {
      name,
      description,
      parameters: {
        type: 'object',
        properties: { [argument]: { type: 'string', description: meaning } },
        required: [argument],
      },
    },
  };
}

/** The tools as a model is told of them. */
export const MODEL_TOOLS: Json = [
  describe(
    'search_documents',
    'Finds passages of the documents of this conversation.',
    'query',
    'Key words.',
  ),
  describe(
    'query_database',
    'Reads a SQLite database of European rivers: rivers(name, length_km, basin_km2, discharge_m3s, flows_into), countries(code, name, capital, area_km2, population_millions), river_countries(river, country), cities(name, country, population_thousands, river).',
    'sql',
    'One SELECT statement.',
  ),
  describe(
    'calculate',
    'Works out an arithmetic expression.',
    'expression',
    'Such as 2 * (3 + 4)^2.',
  ),
];

/** The agent's own tool for a call of the model. An unknown name fails visibly, and the model may try again. */
export function toolForModel(call: ModelCall, rivers: RiverDatabase, work: Work): ToolCall {
  const given = readArguments(call.arguments);
  const text = (name: string): string => {
    const value = given[name];
    return typeof value === 'string' ? value : '';
  };
  switch (call.name) {
    case 'search_documents':
      return searchCall(work, keyWordsOf(text('query')), null);
    case 'query_database':
      return queryCall(rivers, { sql: text('sql'), parameters: [] });
    case 'calculate':
      return {
        name: 'calculate',
        input: { expression: text('expression') },
        act: () => Promise.resolve({ result: evaluate(text('expression')) }),
      };
    default:
      return {
        name: call.name.replaceAll(/[^\w-]/gu, '_').slice(0, 60) || 'unknown',
        input: {},
        act: () => Promise.reject(new ToolFailure('There is no such tool.')),
      };
  }
}
