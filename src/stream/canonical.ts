/** No name left out. */
const NOTHING: ReadonlySet<string> = new Set();

/** What is still to be written: a sign or name, and perhaps a value behind it. */
interface Task {
  readonly label: string;
  readonly value?: unknown;
}

/**
 * A JSON value as text with the names of every object in one fixed order, so that equal values give equal texts. `without`: names
 * left out of the outermost object. Works at any depth: `JSON.parse` takes 100,000 levels, at which `JSON.stringify` overflows.
 * Not meant to be parsed.
 */
export function canonicalText(value: unknown, without: ReadonlySet<string> = NOTHING): string {
  const tasks: Task[] = [{ label: '', value }];
  let text = '';
  for (let task = tasks.pop(); task; task = tasks.pop()) {
    text += task.label;
    if (!isContainer(task.value)) {
      // What JSON has no word for (undefined, functions) counts as null.
      if ('value' in task) text += JSON.stringify(task.value) ?? 'null';
      continue;
    }
    const isList = Array.isArray(task.value);
    const names = Object.keys(task.value);
    if (!isList) names.sort();
    const kept = without.size > 0 ? names.filter((name) => !without.has(name)) : names;
    without = NOTHING;
    text += isList ? '[' : '{';
    tasks.push({ label: isList ? ']' : '}' });
    for (let at = kept.length - 1; at >= 0; at--) {
      const name = kept[at] ?? '';
      const label = isList ? '' : `${JSON.stringify(name)}:`;
      const value = (task.value as Readonly<Record<string, unknown>>)[name];
      tasks.push({ label: (at > 0 ? ',' : '') + label, value });
    }
  }
  return text;
}

/** Whether a JSON value holds lists or objects nested deeper than `levels` (a plain value has none, `[]` has one). */
export function isDeeperThan(value: unknown, levels: number): boolean {
  let layer = [value].filter(isContainer);
  for (let depth = 0; layer.length > 0; depth++) {
    if (depth === levels) return true;
    layer = layer.flatMap((container) => Object.values(container) as unknown[]).filter(isContainer);
  }
  return false;
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
