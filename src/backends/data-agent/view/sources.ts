import type { PartSpec } from './view-section.js';
import { asList } from '../../fields.js';
import { asText, isBlank, printJson, readAt } from './read-json.js';

/**
 * Derives what an agent has retrieved outside of its steps: documents, graph, and searches. A skill that cites documents has shown
 * the same documents already, so nothing is derived when there is one.
 */
export function deriveSources(middleAnswer: unknown, hasCitingSkill: boolean): PartSpec[] {
  if (hasCitingSkill) return [];
  const documents = readAt(middleAnswer, 'doc_retrieval');
  const graph = readAt(middleAnswer, 'graph_retrieval');
  return [
    ...deriveRetrieval('doc_retrieval', null, documents),
    ...deriveRetrieval('graph_retrieval', null, graph),
    ...readSearches(readAt(middleAnswer, 'other_variables')).flatMap(([query, results], index) =>
      deriveRetrieval(`web_search`, query, results, `-${String(index)}`),
    ),
  ];
}

/** Searches as pairs of a query and its results. */
function readSearches(variables: unknown): (readonly [query: string, results: unknown])[] {
  const queries = asList(readAt(variables, 'search_queries'));
  return asList(readAt(variables, 'search_results')).map((entry, index) => {
    const [query, results] = asList(entry);
    const isPair = typeof query === 'string' && results !== undefined;
    return isPair ? [query, results] : [asText(queries[index]), entry];
  });
}

function deriveRetrieval(
  name: string,
  query: string | null,
  result: unknown,
  suffix = '',
): PartSpec[] {
  if (isBlank(result)) return [];
  const input = query === null || query === '' ? null : printJson({ query });
  return [
    {
      key: `source-${name}${suffix}`,
      fields: { kind: 'tool', name, toolId: '', state: 'done', input, result: printJson(result) },
    },
  ];
}
