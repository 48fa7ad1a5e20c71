/** Maximum number of `<details>` that are expanded for printing. */
const MAX_EXPANDED = 1000;

/**
 * Expands the `<details>` inside a part (entries of JSON, full titles and texts of sources) for printing, level by level, up to
 * `MAX_EXPANDED`. Leaves out those of disclosure lines (`.disclosure`), whose content the print styles show without opening them. Returns
 * the function that closes what was opened.
 */
export function expandForPrint(root: ParentNode): () => void {
  const visited = new Set<HTMLDetailsElement>();
  const opened: HTMLDetailsElement[] = [];
  const findUnvisited = (): HTMLDetailsElement[] =>
    [...root.querySelectorAll<HTMLDetailsElement>('details:not(.disclosure)')].filter(
      (details) => !visited.has(details),
    );
  for (let level = findUnvisited(); level.length > 0; level = findUnvisited()) {
    for (const details of level.slice(0, MAX_EXPANDED - visited.size)) {
      visited.add(details);
      if (!details.open) opened.push(details);
      details.open = true;
      // A browser dispatches `toggle` in a later task, after it has printed.
      details.dispatchEvent(new Event('toggle'));
    }
    if (visited.size === MAX_EXPANDED) break;
  }
  return () => {
    for (const details of opened) details.open = false;
  };
}
