/** English strings of charts, loaded with their view. */
export const chartStrings = {
  chartType: 'Chart type',
  chart_line: 'Line',
  chart_column: 'Column',
  chart_pie: 'Pie',
  chart_ring: 'Donut',
  chart_table: 'Table',
  chartEnlarge: 'Enlarge',
  chartLoading: 'Loading chart…',
  chartFailed: 'The chart couldn’t be loaded. Here is its data.',
  chartEmpty: 'There are no numbers to draw. Here is the data.',
  chartOther: 'Other',
  chartPoints: 'Showing {shown} of {total} points. The table has all of them.',
  chartSeries: 'Showing {shown} of {total} series. The table has all of them.',
  chartNegative: 'Values of zero or less aren’t shown in this chart type.',
  chartRows: { one: 'First {count} row', other: 'First {count} rows' },
} as const;
