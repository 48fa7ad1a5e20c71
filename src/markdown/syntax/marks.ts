import { MAX_SPAN } from './limits.js';

const MARKS = new RegExp(
  `\\ue000[^\\ue000\\ue001]{0,${MAX_SPAN - 2}}\\ue001|[\\ue000\\ue001]`,
  'g',
);

/** A text without marks of the host, for where none can stand. */
export function withoutMarks(text: string): string {
  return text.replace(MARKS, '');
}

/** Where the mark begins that a growing text may end in; the length of the text when there is none. */
export function growingMark(text: string): number {
  const at = text.lastIndexOf('\ue000');
  const grows = at >= 0 && text.length - at < MAX_SPAN && !text.includes('\ue001', at);
  return grows ? at : text.length;
}
