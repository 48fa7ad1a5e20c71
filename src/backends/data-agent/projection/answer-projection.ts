import type { Change } from '../../../model/change.js';
import type { Key } from '../../../model/json.js';
import type { PartTree } from '../../../model/part.js';
import { asList } from '../../fields.js';
import type { ChangedPath } from '../patched-reply.js';
import { NO_REFERENCES } from './citation-reader.js';
import { FinalText, type FinalTextUpdate } from './final-text.js';
import { isBlank, readAt } from './read-json.js';
import { deriveRunError } from './run-errors.js';
import { deriveSources } from './sources.js';
import { StepList, type StepTextKind, type ToolActivityEntry } from './step-list.js';
import { deriveSkillProcessEntry } from './steps.js';
import { toText, toTextParts, toThinking } from './text-parts.js';
import {
  ALL_SECTIONS,
  findChangedSections,
  isBlankContent,
  replacesContent,
  ChangedSections,
  type SectionChange,
} from './changed-sections.js';
import { ProjectedSection } from './projected-section.js';

/** The parts and the activity of a stored answer. */
export interface DerivedAnswer {
  readonly parts: readonly PartTree[];
  /** States and times of the tools. */
  readonly activity: readonly ToolActivityEntry[];
}

/** Derives the parts of a stored answer, as they were shown at the end of its run. `root` has the shape of the streamed reply. */
export function deriveStoredAnswer(root: unknown): DerivedAnswer {
  const projection = new AnswerProjection({ message: '' });
  projection.update(root, 'all');
  projection.finish();
  return { parts: projection.parts, activity: projection.activity };
}

/** Marks the thinking of `final_answer` as changed, so that it is derived again. */
const WHOLE_THINKING: SectionChange = {
  section: 'thinking',
  index: null,
  path: '',
  appended: null,
};

/**
 * Derives the parts and the activity of an answer from its reply. The parts depend on the current reply, not on the patches that built
 * it. The cost of an update depends on the size of the change, not on the length of the answer.
 *
 * Exception: when the content becomes null or empty, the earlier content stays shown, because the service empties the message when it fails
 * internally.
 */
export class AnswerProjection {
  readonly #message: Key;
  /** Changes of the content, in the order in which they must be applied. */
  readonly #changes: Change[] = [];
  readonly #activityChanges: Change[] = [];
  readonly #steps: StepList;
  /** The sections of the entries of `skill_process`. */
  readonly #process: ProjectedSection[] = [];
  readonly #sources: ProjectedSection;
  /** The thinking and the text of `final_answer`. */
  readonly #finals: Readonly<Record<StepTextKind, FinalText>>;
  /** `answer_type_other` and `answer.ask`, as texts. */
  readonly #data: ProjectedSection;
  readonly #error: ProjectedSection;
  /** The last content that was not blank. */
  #content: unknown = null;
  /** The last `ext` that was not blank. */
  #extension: unknown = null;
  /** Whether the run continues. */
  #isLive = true;
  /** Whether the thinking of `final_answer` is still being written. */
  #isThinkingOpen = false;

  /** @param options `message` is the key of the message whose parts are derived */
  constructor({ message }: { readonly message: Key }) {
    const changes = this.#changes;
    const activityChanges = this.#activityChanges;
    const findNextKey = () => findFirstKey(this.#sections);
    const createSection = () => new ProjectedSection(message, changes);
    this.#message = message;
    this.#steps = new StepList({ message, changes, activityChanges, findNextKey });
    this.#sources = createSection();
    this.#finals = {
      think: new FinalText(createSection()),
      answer: new FinalText(createSection()),
    };
    this.#data = createSection();
    this.#error = createSection();
  }

  /** The content as plain data. Takes time proportional to its size. */
  get parts(): PartTree[] {
    return [...this.#steps.trees, ...this.#sections.flatMap(({ trees }) => trees)];
  }

  /** States and times of the tools. */
  get activity(): ToolActivityEntry[] {
    return this.#steps.activity;
  }

  /**
   * Returns the changes that lead to the current reply. With `'all'`, anything may have changed; required for the first update of a message
   * that already shows content.
   */
  update(root: unknown, changedPaths: readonly ChangedPath[] | 'all'): readonly Change[] {
    this.#isLive = true;
    const changed = new ChangedSections(
      changedPaths === 'all' ? ALL_SECTIONS : changedPaths.flatMap(findChangedSections),
    );
    const content = readAt(root, 'message', 'content');
    const extension = readAt(root, 'message', 'ext');
    const hasContent = !isBlankContent(content);
    if (!isBlank(extension)) this.#extension = extension;
    if (hasContent) {
      this.#content = content;
      this.#updateContent(changed);
    }
    if (changed.of('error').length > 0) this.#updateError(readAt(root, 'error'));
    const isWhole = changedPaths === 'all' || changedPaths.some(replacesContent);
    return this.#drainChanges(isWhole && hasContent);
  }

  /** Returns the changes for the end of the run: texts are final, and unfinished tools keep the result that they have. */
  finish(): readonly Change[] {
    this.#isLive = false;
    this.#steps.finish(this.#stepEntries);
    this.#updateFinals(new ChangedSections([]));
    for (const section of this.#sections) section.endTexts();
    return this.#drainChanges(false);
  }

  /** The sections after the steps, in the order of the message. */
  get #sections(): ProjectedSection[] {
    const { think, answer } = this.#finals;
    const finals = [think.section, answer.section];
    return [...this.#process, this.#sources, ...finals, this.#data, this.#error];
  }

  /** The steps in the reply. */
  get #stepEntries(): readonly unknown[] {
    return asList(readAt(this.#content, 'middle_answer', 'progress'));
  }

  /**
   * Returns the collected changes. When the whole content was replaced, one `content` change takes the place of all changes of the content,
   * because the shown message may have parts that are unknown here.
   */
  #drainChanges(isWhole: boolean): readonly Change[] {
    const content = this.#changes.splice(0);
    const activity = this.#activityChanges.splice(0);
    if (!isWhole) return [...content, ...activity];
    return [{ type: 'content', message: this.#message, parts: this.parts }, ...activity];
  }

  #updateContent(changed: ChangedSections): void {
    const hadSources = this.#steps.hasSources;
    if (this.#steps.update(this.#stepEntries, changed)) {
      changed.addWhole('process', 'thinking', 'answer');
    }
    this.#updateProcess(changed);
    const hasSourcesChanged = this.#steps.hasSources !== hadSources;
    if (changed.of('sources').length > 0 || hasSourcesChanged) this.#updateSources();
    this.#updateFinals(changed);
    if (changed.of('data').length > 0) this.#updateData();
  }

  #updateProcess(changed: ChangedSections): void {
    const list = asList(readAt(this.#content, 'final_answer', 'skill_process'));
    const count = Math.max(list.length, this.#process.length);
    while (this.#process.length < count) {
      this.#process.push(new ProjectedSection(this.#message, this.#changes));
    }
    for (const [index, sectionChanges] of changed.ofEntries('process', count)) {
      const section = this.#process[index];
      const entry = list[index];
      const key = `process-${String(index)}`;
      const derive = () => deriveSkillProcessEntry(entry, key, this.#steps.findReferences());
      section?.update(sectionChanges, entry, derive, () => this.#findKeyAfter(section));
    }
  }

  #updateSources(): void {
    const specs = deriveSources(readAt(this.#content, 'middle_answer'), this.#steps.hasSources);
    this.#sources.replace(specs, () => this.#findKeyAfter(this.#sources));
  }

  #updateData(): void {
    const final = readAt(this.#content, 'final_answer');
    const data = toText(readAt(final, 'answer_type_other'), null, NO_REFERENCES);
    const question = toText(readAt(final, 'answer', 'ask'), null, NO_REFERENCES);
    const specs = [
      ...toTextParts('answer-data', data),
      ...toTextParts('answer-question', question),
    ];
    this.#data.replace(specs, () => this.#findKeyAfter(this.#data));
  }

  #updateError(error: unknown): void {
    const specs = deriveRunError(error, readAt(this.#extension, 'error'));
    this.#error.replace(specs, () => null);
  }

  /** Updates the thinking and the text of `final_answer`. */
  #updateFinals(changed: ChangedSections): void {
    const thinking = readAt(this.#content, 'final_answer', 'thinking');
    const answer = readAt(this.#content, 'final_answer', 'answer');
    const text = typeof answer === 'string' ? answer : readAt(answer, 'text');
    const isOpen = this.#isLive && isBlank(text);
    const sectionChanges = changed.of('thinking');
    const hasSwitched = isOpen !== this.#isThinkingOpen;
    this.#isThinkingOpen = isOpen;
    this.#updateFinal('think', {
      node: thinking,
      changes: hasSwitched ? [...sectionChanges, WHOLE_THINKING] : sectionChanges,
      derive: () => {
        const references = this.#steps.findReferences();
        return toThinking(thinking, '', { key: 'answer-thinking', isOpen, references });
      },
    });
    this.#updateFinal('answer', {
      node: text,
      changes: changed.of('answer'),
      derive: () => toTextParts('answer-text', toText(text, '', this.#steps.findReferences())),
    });
  }

  #updateFinal(
    name: StepTextKind,
    update: Pick<FinalTextUpdate, 'node' | 'changes' | 'derive'>,
  ): void {
    const final = this.#finals[name];
    final.update({
      ...update,
      lastStep: this.#steps.findLastText(name),
      allSteps: this.#isLive ? null : this.#steps.listTexts(name),
      findNextKey: () => this.#findKeyAfter(final.section),
    });
  }

  #findKeyAfter(section: ProjectedSection): Key | null {
    const sections = this.#sections;
    return findFirstKey(sections.slice(sections.indexOf(section) + 1));
  }
}

function findFirstKey(sections: readonly ProjectedSection[]): Key | null {
  for (const { firstKey } of sections) if (firstKey !== null) return firstKey;
  return null;
}
