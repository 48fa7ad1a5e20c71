/** English strings of tables, code, metrics and other data, loaded with their kinds. */
export const dataStrings = {
  dataTable: 'Table',
  dataPassages: 'Passages',
  dataPage: 'Web page',
  dataChart: 'Chart',
  dataCode: 'Code',
  dataMetric: 'Metric',

  // Tables
  rowCount: { one: '{count} row', other: '{count} rows' },
  rowsOf: '{count} of {total} rows',
  rowRange: '{first}–{last} of {count}',
  columnsOf: '{count} of {total} columns',
  previousRows: 'Previous rows',
  nextRows: 'Next rows',
  noMoreRows: 'No more rows',
  copyData: 'Copy',
  copyDataOf: 'Copy {title}',
  downloadCsv: 'Download CSV',
  downloadCsvOf: 'Download CSV of {title}',

  // Code and metrics
  query: 'Query',
  formatSql: 'Format SQL',
  formatFailed: 'This SQL couldn’t be formatted.',
  codeOutput: 'Output',
  codeErrors: 'Errors',
  titleWithUnit: '{title} ({unit})',
};
