import type { Key } from '../../../model/json.js';
import type { PartTree } from '../../../model/part.js';
import { fieldsOf } from '../../../model/part-tree.js';
import { createContentParser } from '../content/content-parser.js';
import { serializeContent } from '../content/serialize-content.js';
import { createBuilderSink } from './live-text.js';
import type { MessageReducer } from './message-reducer.js';
import { rebindRequests } from './input-requests.js';
import { rebindTools } from './tool-binding.js';

/**
 * Replaces the content (UBIK R2). Later text, steps and tools are appended to the new content; with `isFinal`, nothing follows. Returns
 * false, without a change, when the new content exceeds the limit of text.
 */
export function replaceContent(
  reducer: MessageReducer,
  content: string,
  isFinal: boolean,
): boolean {
  const { builder } = reducer;
  if (!reducer.reserveText(content.length - builder.usage.content)) return false;
  builder.isReplacingContent = true;
  reducer.clearContent();
  const payload = parseStored(reducer, content, isFinal);
  if (!isFinal) {
    const trees = builder.toTrees();
    reducer.clearContent();
    replayAsLive(reducer, null, trees);
    if (payload) reducer.parserFor(payload.parent).push(payload.text);
  }
  builder.isReplacingContent = false;
  builder.record({ type: 'content', message: builder.message, parts: builder.toTrees() });
  rebindTools(builder);
  rebindRequests(reducer, isFinal);
  reducer.updateStatus({ fullContents: reducer.status.fullContents + 1 });
  return true;
}

/**
 * Parses a full content. While the run continues, parts that are open at the end of the text stay open; an unfinished payload of a tool is
 * not parsed, but returned with its start tag and the container of the tool.
 */
function parseStored(
  reducer: MessageReducer,
  content: string,
  isFinal: boolean,
): { readonly parent: Key | null; readonly text: string } | null {
  let keepsPartsOpen = false;
  const sink = createBuilderSink(reducer, null);
  const parser = createContentParser({
    mode: 'stored',
    keys: reducer.keys,
    sink: {
      ...sink,
      set: (key, field, value) => {
        if (!keepsPartsOpen || field !== 'state' || value === 'done') sink.set(key, field, value);
      },
    },
  });
  parser.push(content);
  const payload = isFinal ? null : parser.openPayload;
  if (payload) {
    const at = content.length - payload.length;
    const parent = reducer.builder.content.get(payload.tool)?.parent ?? null;
    reducer.clearContent();
    // Without the text that follows, the text before this payload may end in an unfinished payload as well.
    const before = parseStored(reducer, content.slice(0, at), isFinal);
    return { parent, ...before, text: (before?.text ?? '') + content.slice(at) };
  }
  keepsPartsOpen = !isFinal;
  parser.end();
  return null;
}

/** Adds the parts of a container again, as live text and events would have added them, so that its text can be continued. */
function replayAsLive(
  reducer: MessageReducer,
  parent: Key | null,
  trees: readonly PartTree[],
): void {
  const parser = reducer.parserFor(parent);
  for (const tree of trees) {
    if (tree.kind === 'text' || tree.kind === 'thinking' || tree.kind === 'tool') {
      const serialized = serializeContent([tree]);
      // The last line is the end tag; without it, an open thinking part stays open.
      const isOpen = tree.kind === 'thinking' && tree.state === 'open';
      parser.push(isOpen ? serialized.slice(0, serialized.lastIndexOf('\n')) : serialized);
      continue;
    }
    const key = reducer.insertPart(fieldsOf(tree), parent);
    reducer.builder.append(key, tree.text ?? '');
    if (tree.kind === 'step') replayAsLive(reducer, key, tree.parts ?? []);
  }
}
