import type { Key } from '../../../model/json.js';
import type { PartTree } from '../../../model/part.js';
import { createContentParser } from '../tags/content-parser.js';
import type { ContentSink } from '../tags/content-sink.js';
import { createTreeBuilder } from '../tags/parse-content.js';
import type { MessageFold } from './message-fold.js';
import { resumeParser } from './resume-parser.js';

/**
 * The content is this and nothing else (R2). Later text, steps and tools go on behind it. False when it is longer than a message
 * may be: then nothing changed.
 */
export function replaceContent(fold: MessageFold, content: string, isFinal: boolean): boolean {
  if (!fold.hasRoomFor(content.length - fold.outline.textLength)) return false;
  fold.clearContent();
  const trees = parseTrees(fold, content, isFinal);
  fold.outline.replaceContent(trees);
  fold.constructs.setClaimed(claimedParts(fold, trees));
  noteSteps(fold, trees);
  fold.tools.rebind();
  fold.requests.rebind();
  if (!isFinal) resumeTexts(fold, trees);
  fold.setRun({ fullContents: fold.run.fullContents + 1 });
  return true;
}

/** While the run goes on, what the end of the text leaves open is still open. */
function parseTrees(fold: MessageFold, content: string, isFinal: boolean): PartTree[] {
  const builder = createTreeBuilder();
  let isOver = false;
  const sink: ContentSink = {
    open: (key, parent, fields) => builder.open(key, parent, fields),
    append: (key, text) => builder.append(key, text),
    mark: (key, name, mark) => builder.mark(key, name, mark),
    set: (key, field, value) => {
      if (!isOver || field !== 'state' || value === 'done') builder.set(key, field, value);
    },
  };
  const parser = createContentParser({ mode: 'stored', sink, keys: fold.keys });
  parser.push(content);
  isOver = !isFinal;
  parser.end();
  return builder.trees();
}

/** A checkpoint in it that an event has told of is not told of again. */
function claimedParts(fold: MessageFold, trees: readonly PartTree[]): Key[] {
  return trees.flatMap((tree) => {
    const inner = claimedParts(fold, tree.parts ?? []);
    const isTold = tree.kind === 'checkpoint' && fold.constructs.isTold(tree);
    return isTold ? [tree.key, ...inner] : inner;
  });
}

function noteSteps(fold: MessageFold, trees: readonly PartTree[]): void {
  for (const tree of trees) {
    if (tree.kind !== 'step' || tree.number === null) continue;
    const name = String(tree.number);
    fold.setStep(tree.number, tree.key, fold.constructs.isTold({ kind: 'step', name }));
  }
}

function resumeTexts(fold: MessageFold, trees: readonly PartTree[]): void {
  resumeParser(fold, null, trees);
  for (const tree of trees) {
    if (tree.kind === 'step' && tree.number !== null && tree.parts) {
      resumeParser(fold, tree.key, tree.parts);
    }
  }
}
