import assert from 'node:assert/strict';
import {
  PatchedReply,
  type Patch,
  type ChangedPath,
} from '../../../../src/backends/data-agent/patched-reply.js';
import { AnswerProjection } from '../../../../src/backends/data-agent/projection/answer-projection.js';
import { isBlankContent } from '../../../../src/backends/data-agent/projection/changed-sections.js';
import type { Change } from '../../../../src/model/change.js';
import { ACTIVITY, type PartTree } from '../../../../src/model/part.js';
import { toPartTrees } from '../../../../src/model/part-tree.js';
import { setupMessage } from '../../../helpers/model-message.js';

/** A reply, its derived parts, and a model to which the changes are applied. */
export class ShownAnswer {
  readonly reply = new PatchedReply();
  readonly view = new AnswerProjection({ message: 'm' });
  readonly #model = setupMessage();

  /** The parts in the model. */
  get parts(): PartTree[] {
    return toPartTrees(this.#model.message());
  }

  /** State and working time of each tool in the model. */
  get tools(): { name: string; state: string; elapsed: number | null }[] {
    const { parts } = this.#model.message();
    return parts.children(ACTIVITY).flatMap((key) => {
      const part = parts.get(key);
      if (part?.kind !== 'tool-activity') return [];
      const { name, state, startedAt, endedAt } = part;
      const elapsed = startedAt === null || endedAt === null ? null : endedAt - startedAt;
      return [{ name, state, elapsed }];
    });
  }

  /** Texts that tools stream, by the names of these outputs. */
  get outputs(): Record<string, string> {
    const { parts } = this.#model.message();
    const outputs = parts.children(ACTIVITY).flatMap((key) => parts.children(key));
    return Object.fromEntries(
      outputs.map((key) => {
        const part = parts.get(key);
        return [part?.kind === 'output-activity' ? part.outputKey : '', part?.text?.read() ?? ''];
      }),
    );
  }

  /** Applies patches and derives the changes, as a run does with a batch. Returns the changes. */
  apply(...patches: readonly Patch[]): readonly Change[] {
    const changes: Change[] = [];
    let changedPaths: ChangedPath[] = [];
    const update = (): void => {
      changes.push(...this.#run(this.view.update(this.reply.root, changedPaths)));
      changedPaths = [];
    };
    for (const patch of patches) {
      // A service that fails blanks its reply: what the patches before have added is shown first, even if it comes in the same batch.
      if (patch.path.length <= 2 && isBlankContent(patch.value)) update();
      const changedPath = this.reply.apply(patch);
      if (changedPath) changedPaths.push(changedPath);
    }
    update();
    return changes;
  }

  /** Replaces the reply. Returns the changes. */
  replace(root: unknown): readonly Change[] {
    this.reply.replace(root);
    return this.#run(this.view.update(root, 'all'));
  }

  /** Ends the run. Returns the changes. */
  finish(): readonly Change[] {
    return this.#run(this.view.finish());
  }

  #run(changes: readonly Change[]): readonly Change[] {
    const { applied, rejected } = this.#model.run(...changes);
    assert.deepEqual(rejected, [], 'a change does not fit the model');
    assert.deepEqual(
      this.parts,
      withoutEmptyTexts(this.view.parts),
      'the view and the model differ',
    );
    return applied;
  }
}

function withoutEmptyTexts(trees: readonly PartTree[]): PartTree[] {
  return trees.map(({ text, parts, ...tree }) => ({
    ...tree,
    ...(text !== undefined && text !== '' && { text }),
    ...(parts && { parts: withoutEmptyTexts(parts) }),
  }));
}

/** Shows a whole reply. */
export function showReply(root: unknown): ShownAnswer {
  const shown = new ShownAnswer();
  shown.replace(root);
  return shown;
}

/** The reply of an answer with these steps and this final answer. */
export function createReply(
  progress: unknown,
  finalAnswer: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  return {
    message: { content: { final_answer: finalAnswer, middle_answer: { progress } }, ext: {} },
    error: null,
  };
}

/** The path of a member of a step. */
export function stepPath(index: number, ...path: readonly (string | number)[]): Patch['path'] {
  return ['message', 'content', 'middle_answer', 'progress', index, ...path];
}

/** A patch that appends a value. */
export function append(path: Patch['path'], value: unknown): Patch {
  return { path, action: 'append', value };
}

/** A patch that sets a value. */
export function upsert(path: Patch['path'], value: unknown): Patch {
  return { path, action: 'upsert', value };
}

/** A step of the model, which is still in progress. */
export function modelStep(answer: unknown, fields: Readonly<Record<string, unknown>> = {}): object {
  return {
    id: 'p',
    stage: 'llm',
    answer,
    think: '',
    status: 'processing',
    skill_info: null,
    ...fields,
  };
}

/** A completed step that calls a tool. */
export function skillStep(
  name: string,
  answer: unknown,
  fields: Readonly<Record<string, unknown>> = {},
): object {
  const info = { type: 'TOOL', name, args: [] };
  return { id: 's', stage: 'skill', answer, status: 'completed', skill_info: info, ...fields };
}
