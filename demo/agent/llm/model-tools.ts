import type { Json } from '../json.js';

/** Describes a tool whose arguments are texts, all of them required. */
export function describeTool(
  name: string,
  description: string,
  parameters: Readonly<Record<string, string>>,
): Json {
  const properties = Object.entries(parameters).map(([parameter, meaning]): [string, Json] => [
    parameter,
    { type: 'string', description: meaning },
  ]);
  return {
    type: 'function',
    function: {
      name,
      description,
      parameters: {
        type: 'object',
        properties: Object.fromEntries(properties),
        required: Object.keys(parameters),
      },
    },
  };
}

/** The tools that the UBIK agent and the Data Agent both offer to a model. */
export const MODEL_TOOLS: readonly Json[] = [
  describeTool('search_documents', 'Finds passages of the documents of this conversation.', {
    query: 'Key words.',
  }),
  describeTool(
    'query_database',
    'Reads a SQLite database of European rivers: rivers(name, length_km, basin_km2, discharge_m3s, flows_into), countries(code, name, capital, area_km2, population_millions), river_countries(river, country), cities(name, country, population_thousands, river).',
    { sql: 'One SELECT statement.' },
  ),
  describeTool('calculate', 'Evaluates an arithmetic expression.', {
    expression: 'Such as 2 * (3 + 4)^2.',
  }),
];
