import type { ContentFields } from '../../../model/part.js';
import { asList } from '../../fields.js';
import { formatJson } from './format-json.js';
import { asString, isBlank, readAt } from './read-json.js';
import { identifyTool, presentDocumentSearch, toWebSearch } from './skills.js';
import type { PartSpec } from './projected-section.js';

/**
 * Derives the parts of the sources that an agent has retrieved outside its steps: documents, a graph, and searches. Empty when a tool has
 * returned sources, because its part shows the same ones.
 */
export function deriveSources(middleAnswer: unknown, hasToolSources: boolean): PartSpec[] {
  if (hasToolSources) return [];
  const graph = readAt(middleAnswer, 'graph_retrieval');
  const searches = readSearches(readAt(middleAnswer, 'other_variables'));
  return [
    ...deriveDocuments(readAt(middleAnswer, 'doc_retrieval')),
    ...(isBlank(graph) ? [] : [createTool('graph_retrieval', null, graph)]),
    ...searches.flatMap(([query, results], index) => deriveSearch(query, results, index)),
  ];
}

function deriveDocuments(documents: unknown): PartSpec[] {
  if (isBlank(documents)) return [];
  const found = presentDocumentSearch(documents);
  if (!found) return [createTool('doc_retrieval', null, documents)];
  const { text, inside, rest, references } = found;
  const tool = createTool('doc_retrieval', null, rest);
  const key = `${tool.key}-text`;
  const texts = text
    ? [{ key, fields: { kind: 'text' }, text: { ...text, references } } as const]
    : [];
  return [
    {
      ...tool,
      parts: [
        ...texts,
        ...inside.map((fields, index) => ({ key: `${tool.key}-in-${String(index)}`, fields })),
      ],
    },
  ];
}

/** Reads searches as pairs of a query and its results. */
function readSearches(variables: unknown): (readonly [query: string, results: unknown])[] {
  // The service spells it `search_querys` [sic].
  const queries = asList(readAt(variables, 'search_querys') ?? readAt(variables, 'search_queries'));
  return asList(readAt(variables, 'search_results')).map((entry, index) => {
    const [query, results] = asList(entry);
    const isPair = typeof query === 'string' && results !== undefined;
    return isPair ? [query, results] : [asString(queries[index]), entry];
  });
}

function deriveSearch(query: string, results: unknown, index: number): PartSpec[] {
  if (isBlank(results)) return [];
  const fields = Array.isArray(results) ? toWebSearch(query, results) : null;
  const key = `web_search-${String(index)}`;
  return [
    fields ? { key: `source-${key}`, fields } : createTool('web_search', query, results, key),
  ];
}

function createTool(
  name: string,
  query: string | null,
  result: unknown,
  key = name,
): PartSpec & { readonly fields: ContentFields } {
  const input = query === null || query === '' ? null : formatJson({ query });
  const text = result === null || typeof result === 'string' ? result : formatJson(result);
  return {
    key: `source-${key}`,
    fields: { kind: 'tool', ...identifyTool(name), toolId: '', state: 'done', input, result: text },
  };
}
