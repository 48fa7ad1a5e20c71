/** A tool in the list of the API. */
export interface ToolEntry {
  readonly id: string;
  readonly name: string;
  readonly description: string;
}

/** All tools of the agent. Ids never change, so that stored references stay valid. */
export const TOOLS: readonly ToolEntry[] = [
  {
    id: '5b0b9c5e-30a4-4d47-9d7e-0f6b5a1c0001',
    name: 'search_documents',
    description: 'Finds the passages of the linked documents that answer a question.',
  },
  {
    id: '5b0b9c5e-30a4-4d47-9d7e-0f6b5a1c0002',
    name: 'query_database',
    description: 'Asks the sample database of European rivers, read-only.',
  },
  {
    id: '5b0b9c5e-30a4-4d47-9d7e-0f6b5a1c0003',
    name: 'calculate',
    description: 'Works out an arithmetic expression.',
  },
  {
    id: '5b0b9c5e-30a4-4d47-9d7e-0f6b5a1c0004',
    name: 'human_confirmation',
    description: 'Asks the person before something is done that cannot be undone.',
  },
  {
    id: '5b0b9c5e-30a4-4d47-9d7e-0f6b5a1c0005',
    name: 'draw_chart',
    description: 'Draws a bar chart or a pie chart of numbers from the sample database.',
  },
  {
    id: '5b0b9c5e-30a4-4d47-9d7e-0f6b5a1c0006',
    name: 'analyse_rivers',
    description: 'Goes through every river of the sample database; takes some seconds.',
  },
  {
    id: '5b0b9c5e-30a4-4d47-9d7e-0f6b5a1c0007',
    name: 'fetch_page',
    description: 'Reads a web page. The demo has no way out to the network, so it always fails.',
  },
  {
    id: '5b0b9c5e-30a4-4d47-9d7e-0f6b5a1c0008',
    name: 'read_document',
    description: 'Reads one linked document from start to end.',
  },
  {
    id: '5b0b9c5e-30a4-4d47-9d7e-0f6b5a1c0009',
    name: 'ask_person',
    description:
      'Asks the person for a value of a kind: text, number, date, choice, yes or no, file, JSON.',
  },
];

/** Returns the id of a tool by its name; for an unknown name, an id that no tool has. */
export function toolIdOf(name: string): string {
  return TOOLS.find((tool) => tool.name === name)?.id ?? '5b0b9c5e-30a4-4d47-9d7e-0f6b5a1c0000';
}
