/** One example of the specification. */
export interface Example {
  readonly number: number;
  readonly section: string;
  readonly markdown: string;
  readonly html: string;
}

/** Reads the examples from the package `commonmark-spec`. */
export async function loadExamples(): Promise<readonly Example[]> {
  const response = await fetch('/node_modules/commonmark-spec/spec.txt');
  const text = (await response.text()).replace(/<!-- END TESTS -->[\s\S]*/, '');
  const pattern = /^`{32} example\n([\s\S]*?)^\.\n([\s\S]*?)^`{32}$|^#{1,6} *(.*)$/gm;
  const examples: Example[] = [];
  let section = '';
  for (const [, markdown, html, heading] of text.matchAll(pattern)) {
    if (heading !== undefined) section = heading;
    else if (markdown !== undefined && html !== undefined) {
      const number = examples.length + 1;
      const tabs = (part: string): string => part.replaceAll('→', '\t');
      examples.push({ number, section, markdown: tabs(markdown), html: tabs(html) });
    }
  }
  if (examples.length !== 652) throw new Error(`Found ${examples.length} examples, not 652.`);
  return examples;
}
