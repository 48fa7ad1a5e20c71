import type { Message } from '../../model/message.js';
import type { Part } from '../../model/part.js';
import { isToolPart, readFacts, readToolFacts } from './part-facts.js';
import type { AnyRenderer } from './renderer-box.js';
import type { PartFacts, RendererRule } from './renderer-types.js';

/** Returns the renderers that match a part, in the order in which they are asked. `report` is called with what a rule has thrown. */
export function findRenderers(
  part: Part,
  rules: readonly RendererRule[],
  report: (cause: unknown) => void,
): readonly AnyRenderer[] {
  return rules.flatMap((rule) => {
    try {
      return matches(rule, part) ? [readRenderer(rule)] : [];
    } catch (cause) {
      report(cause);
      return [];
    }
  });
}

/** Reads the renderer of a rule, whose values come from the host page. Throws when it cannot be used. */
function readRenderer({ renderer }: RendererRule): AnyRenderer {
  const { mount, root } = renderer as Partial<AnyRenderer>;
  if (typeof mount !== 'function') throw new TypeError('A renderer needs a function "mount".');
  if (root !== undefined && root !== 'page' && root !== 'shadow') {
    throw new TypeError('The "root" of a renderer is "page" or "shadow".');
  }
  return renderer as AnyRenderer;
}

function matches(rule: RendererRule, part: Part): boolean {
  if (rule.kind !== undefined) return rule.kind === part.kind;
  if (!isToolPart(part)) return false;
  const { tool } = rule;
  const { name, toolType } = part;
  if (typeof tool === 'function') return tool(Object.freeze({ name, toolType }));
  return typeof tool === 'string' ? tool === name : tool.includes(name);
}

/**
 * Returns a part as Markdown or text, as a renderer of the host page writes it; undefined when none does. What renderers throw is reported
 * as an uncaught error.
 */
export function formatPart(
  name: 'toMarkdown' | 'toText',
  part: Part,
  message: Message,
  rules: readonly RendererRule[],
): string | undefined {
  for (const renderer of findRenderers(part, rules, reportError)) {
    try {
      const text: unknown = renderer[name]?.(createFacts(part, message));
      if (typeof text === 'string') return text;
    } catch (cause) {
      reportError(cause);
    }
  }
  return undefined;
}

/** Creates the facts without the activity: most services do not store it, so an export after a reload would differ. */
function createFacts(part: Part, message: Message): PartFacts {
  return Object.freeze(
    isToolPart(part)
      ? readToolFacts(part, message, undefined)
      : readFacts(part, message, undefined),
  );
}
