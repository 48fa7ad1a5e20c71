/** English strings of the content of tool calls and of their details, and titles of well-known tools by their types or names. */
export const toolStrings = {
  toolInput: 'Input',
  toolResult: 'Result',
  toolOutput: 'Output so far',
  toolNoResult: 'Nothing was returned.',
  toolPhases: 'Phases',
  toolUpdate: 'Update',
  mediaFailed: 'The file {name} couldn’t be loaded.',
  mediaSave: 'Save {name}',

  // Details
  toolDetails: 'Open details',
  toolDetailsOf: 'Open details of {name}',
  toolStarted: 'Started',
  toolDuration: 'Duration',

  // Titles of tools
  tool_graph_query: 'Query the graph',
  tool_metric_query: 'Compute a metric',
  tool_chart: 'Draw a chart',
  tool_command: 'Run a command',
  tool_create_file: 'Create a file',
  tool_read_file: 'Read a file',
  tool_list_files: 'List files',
  tool_upload_file: 'Upload a file',
  tool_download_file: 'Download a file',
  tool_close_sandbox: 'Close the sandbox',
  tool_web_page: 'Show a web page',
  tool_data_search: 'Find data sources',
  tool_data_ranking: 'Rank data sources',
  tool_knowledge_search: 'Search the knowledge network',

  // Phases
  phase_WEB_SEARCH: 'Searching the web',
  phase_SCRAPING_URLS: 'Reading pages',
  phase_RERANKING: 'Sorting results',
  phase_GENERATION: 'Writing',
  phase_SEARCH_PREPARATION: 'Preparing the search',
  phase_RETRIEVAL: 'Finding passages',
  phase_COMPILING_RESULTS: 'Collecting results',
} as const;
