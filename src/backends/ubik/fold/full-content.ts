import type { Key } from '../../../model/json.js';
import type { PartTree } from '../../../model/part.js';
import { fieldsOf } from '../../../model/part-tree.js';
import { createContentParser } from '../tags/content-parser.js';
import { printContent } from '../tags/print-content.js';
import { createSink } from './live-text.js';
import type { MessageFold } from './message-fold.js';
import { rebindRequests } from './requests.js';
import { rebindTools } from './tools.js';

/**
 * The content is this and nothing else (R2). Later text, steps and tools go on behind it. False when it is longer than a message
 * may be: then nothing changed.
 */
export function replaceContent(fold: MessageFold, content: string, isFinal: boolean): boolean {
  const { outline } = fold;
  if (!fold.takeRoom(content.length - outline.taken.content)) return false;
  outline.quiet = true;
  fold.clearContent();
  readStored(fold, content, isFinal);
  if (!isFinal) {
    const trees = outline.trees();
    fold.clearContent();
    speak(fold, null, trees);
  }
  outline.quiet = false;
  outline.tell({ do: 'content', message: outline.message, parts: outline.trees() });
  rebindTools(outline);
  rebindRequests(fold, isFinal);
  fold.setRun({ fullContents: fold.run.fullContents + 1 });
  return true;
}

/** While the run goes on, what the end of the text leaves open is still open. */
function readStored(fold: MessageFold, content: string, isFinal: boolean): void {
  let isOver = false;
  const sink = createSink(fold, null);
  const parser = createContentParser({
    mode: 'stored',
    keys: fold.keys,
    sink: {
      ...sink,
      set: (key, field, value) => {
        if (!isOver || field !== 'state' || value === 'done') sink.set(key, field, value);
      },
    },
  });
  parser.push(content);
  isOver = !isFinal;
  parser.end();
}

/** Makes the parts of a container as live text and events would have made them, so that its text can go on. */
function speak(fold: MessageFold, parent: Key | null, trees: readonly PartTree[]): void {
  const text = fold.text(parent);
  for (const tree of trees) {
    if (tree.kind === 'text' || tree.kind === 'thinking' || tree.kind === 'tool') {
      const printed = printContent([tree]);
      // A thought that goes on is printed without its end, which stands in the last line.
      const isOpen = tree.kind === 'thinking' && tree.state === 'open';
      text.push(isOpen ? printed.slice(0, printed.lastIndexOf('\n')) : printed);
      continue;
    }
    text.place(() => fold.open(parent, fieldsOf(tree)));
    fold.outline.append(tree.key, tree.text ?? '');
    if (tree.kind === 'step') speak(fold, tree.key, tree.parts ?? []);
  }
}
