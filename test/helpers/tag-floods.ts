/** Text in the pieces of most floods, by which lost pieces are detected. */
export const MARKER = 'ö';

const PAIRS: readonly (readonly [start: string, end: string])[] = [
  ['<<STEP_START>>', '<<STEP_END>>'],
  ['<<STEP_START>>\nStep 1: a\n', '<<STEP_END>>'],
  ['<<thinking>>', '<</thinking>>'],
  ['<<TOOL_STEP_START/a:1>>', '<<TOOL_STEP_END/a:1>>'],
  ['<<TOOL_STEP_INPUT_START>>', '<<TOOL_STEP_INPUT_END>>'],
  ['<<TOOL_STEP_RESULT_START>>', '<<TOOL_STEP_RESULT_END>>'],
  ['<<CHECKPOINT_START>>', '<<CHECKPOINT_END>>'],
  ['<<INPUT_REQUIRED_START>>', '<<INPUT_REQUIRED_END>>'],
  ['<<USER_INPUT_PROVIDED_START>>', '<<USER_INPUT_PROVIDED_END>>'],
  ['<<ERROR_START>>', '<<ERROR_END>>'],
  ['<<ERROR_JSON_START>>', '<<ERROR_JSON_END>>'],
  ['<<TOOL_EVENT_START>>', '<<TOOL_EVENT_END>>'],
  ['<<SINGLE_STEP_FLAG>>', ''],
  ['<citation id="a">', '</citation>'],
  ['<source_1>', ''],
];

/** A message that consists of tags. `make` returns about `size` code units. */
export interface TagFlood {
  readonly name: string;
  make(size: number): string;
}

/** Floods of each tag: closed, unclosed, nested and truncated; of the tags of all kinds in turn; and of pieces of tags. */
export const TAG_FLOODS: readonly TagFlood[] = [
  ...PAIRS.flatMap(([start, end]) => {
    const name = start.replaceAll('\n', ' ').trim();
    const flood = (what: string, make: TagFlood['make']): TagFlood => ({
      name: `${name} ${what}`,
      make,
    });
    return [
      flood('closed', (size) => repeat(`${start}${MARKER}${end}`, size)),
      flood('unclosed', (size) => repeat(`${start}${MARKER}`, size)),
      flood('unclosed without text', (size) => repeat(start, size)),
      flood('nested', (size) => repeat(start, size / 2) + MARKER + repeat(end || start, size / 2)),
      flood('truncated', (size) => repeat(`${start.slice(0, -1)}${MARKER}`, size)),
    ];
  }),
  ...[
    ['start tags of all kinds in turn', PAIRS.map(([start]) => start + MARKER).join('')],
    ['end tags of all kinds in turn', PAIRS.map(([, end]) => end + MARKER).join('')],
    [
      'steps and thinking parts in turn',
      `<<STEP_START>>${MARKER}<<thinking>>${MARKER}<<STEP_END>>${MARKER}<</thinking>>`,
    ],
    [
      'tools and their results in turn',
      `<<TOOL_STEP_START/a:1>>${MARKER}<<TOOL_STEP_RESULT_START>>{}<<TOOL_STEP_RESULT_END>>`,
    ],
    ['unclosed tool tags', `<<TOOL_STEP_START/${MARKER}`],
    ['beginnings of tags', `<<S${MARKER}`],
    ['brackets', '<'],
  ].map(([name = '', piece = '']) => ({ name, make: (size: number) => repeat(piece, size) })),
];

function repeat(piece: string, size: number): string {
  return piece.repeat(Math.ceil(size / piece.length));
}
