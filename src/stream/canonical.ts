/** One list or object that is being written. */
interface Frame {
  /** Names of an object's fields in order; null for a list. */
  readonly names: readonly string[] | null;
  readonly values: readonly unknown[] | { readonly [name: string]: unknown };
  readonly length: number;
  next: number;
}

/** No name left out. */
const NOTHING: ReadonlySet<string> = new Set();

/**
 * A JSON value as text with the names of every object in one fixed order, so that equal values give equal texts. `without`: names
 * left out of the outermost object. Works at any depth: `JSON.parse` takes 100,000 levels, at which `JSON.stringify` overflows.
 * Not meant to be parsed.
 */
export function canonicalText(value: unknown, without: ReadonlySet<string> = NOTHING): string {
  if (!isContainer(value)) return printScalar(value);
  const frames: Frame[] = [openFrame(value, without)];
  let text = openingOf(value);
  for (let frame = frames[0]; frame; frame = frames[frames.length - 1]) {
    if (frame.next === frame.length) {
      text += frame.names ? '}' : ']';
      frames.pop();
      continue;
    }
    if (frame.next > 0) text += ',';
    const item = takeItem(frame);
    text += item.label;
    if (isContainer(item.value)) {
      text += openingOf(item.value);
      frames.push(openFrame(item.value, NOTHING));
    } else text += printScalar(item.value);
  }
  return text;
}

/** Whether a JSON value holds lists or objects nested deeper than `levels` (a plain value has none, `[]` has one). */
export function isDeeperThan(value: unknown, levels: number): boolean {
  const frames: Frame[] = [];
  if (isContainer(value)) frames.push(openFrame(value, NOTHING));
  for (let frame = frames[0]; frame; frame = frames[frames.length - 1]) {
    if (frames.length > levels) return true;
    if (frame.next === frame.length) frames.pop();
    else {
      const item = takeItem(frame).value;
      if (isContainer(item)) frames.push(openFrame(item, NOTHING));
    }
  }
  return false;
}

function openFrame(value: object, without: ReadonlySet<string>): Frame {
  if (Array.isArray(value)) return { names: null, values: value, length: value.length, next: 0 };
  let names = Object.keys(value);
  if (without.size > 0) names = names.filter((name) => !without.has(name));
  names.sort();
  return {
    names,
    values: value as { readonly [name: string]: unknown },
    length: names.length,
    next: 0,
  };
}

function takeItem(frame: Frame): { label: string; value: unknown } {
  const at = frame.next++;
  if (!frame.names) return { label: '', value: (frame.values as readonly unknown[])[at] };
  const name = frame.names[at] ?? '';
  const values = frame.values as { readonly [name: string]: unknown };
  return { label: `${JSON.stringify(name)}:`, value: values[name] };
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function openingOf(value: object): string {
  return Array.isArray(value) ? '[' : '{';
}

/** What JSON has no word for (undefined, functions) counts as null. */
function printScalar(value: unknown): string {
  return JSON.stringify(value) ?? 'null';
}
