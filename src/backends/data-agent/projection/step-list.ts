import type { Change } from '../../../model/change.js';
import { equalJson, type Key } from '../../../model/json.js';
import { ACTIVITY, isToolOpen, type PartFields, type PartTree } from '../../../model/part.js';
import { equalReferences, NO_REFERENCES, type References } from './citation-reader.js';
import type { GrowingString } from './final-text.js';
import { readStringAt, splitPath } from './read-json.js';
import { deriveStep, HIDDEN_STEP, type DerivedStep, type ToolActivity } from './steps.js';
import { findAppended, type SectionChange, type ChangedSections } from './changed-sections.js';
import { isGrowth, ProjectedSection, type Growth } from './projected-section.js';
import { ProjectedText } from './projected-text.js';

/** Maximum number of streamed texts of one running tool. Further ones are not shown. */
const MAX_OUTPUTS = 20;

/** State and times of a tool, as plain data. */
export interface ToolActivityEntry {
  readonly key: Key;
  readonly fields: ToolActivity;
}

/** The kinds of texts that a step and the final answer have in common, named like the fields of a step. */
export type StepTextKind = 'think' | 'answer';

/** One step of the agent, and the section that shows it. */
interface ShownStep {
  readonly section: ProjectedSection;
  /** Texts that the running tool streams, by their paths in the step. */
  readonly outputs: Map<string, ProjectedText>;
  derived: DerivedStep;
}

/** Options of {@link StepList}. */
export interface StepListOptions {
  readonly message: Key;
  /** Lists to which the changes of the content and of activity are appended. */
  readonly changes: Change[];
  readonly activityChanges: Change[];
  /** Returns the key of the first part after the steps; null when there is none. */
  readonly findNextKey: () => Key | null;
}

/** Derives the parts and the activity of the agent's steps, the entries of `progress`. */
export class StepList {
  readonly #options: StepListOptions;
  readonly #shownSteps: ShownStep[] = [];
  /** Indexes of the steps that have returned sources. */
  readonly #stepsWithSources = new Set<number>();
  /** Index of the last step with a text of each kind; -1 for none. */
  readonly #lastSteps: Record<StepTextKind, number> = { think: -1, answer: -1 };
  /** Index of the first step whose sources have changed in the current update; Infinity when there is none. */
  #changedSources = Infinity;
  /** Chunks by which texts have grown in the last update, by the index of their step. */
  #growth: ReadonlyMap<number, Growth> = new Map();

  constructor(options: StepListOptions) {
    this.#options = options;
  }

  /** Whether a tool has returned sources, to which the answer may refer. */
  get hasSources(): boolean {
    return this.#stepsWithSources.size > 0;
  }

  /** The content as plain data. Takes time proportional to its size. */
  get trees(): PartTree[] {
    return this.#shownSteps.flatMap(({ section }) => section.trees);
  }

  /** States and times of the tools. */
  get activity(): ToolActivityEntry[] {
    return this.#shownSteps.flatMap(({ derived: { tool } }, index) =>
      tool ? [{ key: toActivityKey(index), fields: tool }] : [],
    );
  }

  /**
   * Derives the steps that have changed, and those that may cite sources that have changed. Returns whether sources have changed, so that
   * later texts may cite others.
   */
  update(steps: readonly unknown[], changed: ChangedSections): boolean {
    this.#changedSources = Infinity;
    const growth = new Map<number, Growth>();
    const count = Math.max(steps.length, this.#shownSteps.length);
    const entries = changed.ofEntries('step', count);
    for (const [index, sectionChanges] of [...entries].sort(([left], [right]) => left - right)) {
      growth.set(index, this.#updateStep(index, steps[index], sectionChanges));
    }
    this.#growth = growth;
    const from = this.#changedSources + 1;
    for (let index = from; index < this.#shownSteps.length; index += 1) {
      if (!entries.has(index)) this.#derive(index, steps[index], true);
    }
    return from < Infinity;
  }

  /** Ends the run: an unfinished tool keeps the result that it has, and texts are final. */
  finish(steps: readonly unknown[]): void {
    this.#growth = new Map();
    this.#shownSteps.forEach(({ derived, section }, index) => {
      if (derived.tool && isToolOpen(derived.tool.state)) this.#derive(index, steps[index], false);
      section.endTexts();
    });
  }

  /** Returns the text of the last step with a text of a kind, and the chunk by which it has grown in the last update. */
  findLastText(name: StepTextKind): GrowingString {
    const index = this.#lastSteps[name];
    const text = this.#findText(name, index)?.source ?? '';
    return { text, chunk: this.#growth.get(index)?.get(name) ?? null };
  }

  /** The texts of all steps. */
  listTexts(name: StepTextKind): string[] {
    return this.#shownSteps.flatMap((_shown, index) => this.#findText(name, index)?.source ?? []);
  }

  /** Returns the sources that were found before a step: for each of the two kinds of citations, those of the newest tool that has some. */
  findReferences(end = Infinity): References {
    let { byIndex, bySlice } = NO_REFERENCES;
    for (const index of [...this.#stepsWithSources].sort((left, right) => left - right)) {
      const { references = NO_REFERENCES } =
        (index < end && this.#shownSteps[index]?.derived) || {};
      if (references.byIndex.length > 0) ({ byIndex } = references);
      if (references.bySlice.length > 0) ({ bySlice } = references);
    }
    return { byIndex, bySlice };
  }

  /** Returns a text of a step; of a tool step only its thinking, because the final answer does not repeat the results of tools. */
  #findText(name: StepTextKind, index: number): ProjectedText | undefined {
    const shown = this.#shownSteps[index];
    return name === 'answer' && shown?.derived.tool ? undefined : shown?.section.textAt(name);
  }

  #updateStep(index: number, step: unknown, sectionChanges: readonly SectionChange[]): Growth {
    const { section, derived } = this.#getOrCreate(index);
    const growth = section.append(sectionChanges, step);
    const others = sectionChanges.filter((change) => !isGrowth(change, growth));
    const isRunning = derived.tool?.state === 'running';
    const isStreamed = (change: SectionChange) =>
      isOutput(change) && change.path !== derived.textPath;
    const isOutdated = index > this.#changedSources;
    if (isRunning && !isOutdated && others.every(isStreamed)) {
      this.#streamOutputs(index, step, others);
    } else if (isOutdated || others.length > 0) this.#derive(index, step, true);
    return growth;
  }

  /** Returns the record of a step. Creates it, and those of the steps before it, when it is missing. */
  #getOrCreate(index: number): ShownStep {
    for (;;) {
      const shown = this.#shownSteps[index];
      if (shown) return shown;
      const { message, changes } = this.#options;
      const section = new ProjectedSection(message, changes);
      this.#shownSteps.push({ section, outputs: new Map(), derived: HIDDEN_STEP });
    }
  }

  #derive(index: number, step: unknown, isLive: boolean): void {
    const shown = this.#getOrCreate(index);
    const before = shown.derived;
    const references = this.findReferences(index);
    shown.derived = deriveStep(step, { key: `step-${String(index)}`, isLive, references });
    shown.section.replace(shown.derived.parts, () => this.#findKeyAfter(index));
    if (shown.derived.references === NO_REFERENCES) this.#stepsWithSources.delete(index);
    else this.#stepsWithSources.add(index);
    if (!equalReferences(shown.derived.references, before.references)) {
      this.#changedSources = Math.min(this.#changedSources, index);
    }
    this.#updateActivity(index, before.tool);
    this.#updateLastStep('think', index);
    this.#updateLastStep('answer', index);
  }

  #updateLastStep(name: StepTextKind, index: number): void {
    const steps = this.#lastSteps;
    if (this.#findText(name, index)) steps[name] = Math.max(steps[name], index);
    else if (index === steps[name]) {
      do steps[name] -= 1;
      while (steps[name] >= 0 && !this.#findText(name, steps[name]));
    }
  }

  #findKeyAfter(index: number): Key | null {
    for (let next = index + 1; next < this.#shownSteps.length; next += 1) {
      const key = this.#shownSteps[next]?.section.firstKey;
      if (key != null) return key;
    }
    return this.#options.findNextKey();
  }

  #updateActivity(index: number, before: ToolActivity | null): void {
    const { derived, outputs } = this.#getOrCreate(index);
    const { tool } = derived;
    const key = toActivityKey(index);
    if (tool && !equalJson(tool, before)) this.#putActivity(key, ACTIVITY, tool);
    if (before && !tool) this.#removeActivity(key);
    if (tool && isToolOpen(tool.state)) return;
    // The activity of a removed tool was removed with its outputs.
    const count = tool ? outputs.size : 0;
    for (let at = 0; at < count; at += 1) this.#removeActivity(toOutputKey(index, at));
    outputs.clear();
  }

  /** Shows the texts that grow in the answer of a running tool. The answer as a whole is converted when the tool has ended. */
  #streamOutputs(index: number, step: unknown, sectionChanges: readonly SectionChange[]): void {
    const { outputs } = this.#getOrCreate(index);
    for (const path of new Set(sectionChanges.map((change) => change.path))) {
      const output = outputs.get(path) ?? this.#createOutput(index, path);
      if (!output) continue;
      const source = readStringAt(step, path);
      const chunk = findAppended(sectionChanges, path, output.source, source);
      const changes =
        chunk === null ? output.replace(source, NO_REFERENCES) : output.append(chunk, source);
      this.#options.activityChanges.push(...changes);
    }
  }

  /** Creates the text of an output; null when the tool streams too many texts. */
  #createOutput(index: number, path: string): ProjectedText | null {
    const { outputs } = this.#getOrCreate(index);
    if (outputs.size === MAX_OUTPUTS) return null;
    const key = toOutputKey(index, outputs.size);
    const outputKey = splitPath(path).at(-1) ?? '';
    this.#putActivity(key, toActivityKey(index), { kind: 'output-activity', outputKey });
    const output = new ProjectedText(this.#options.message, key, NO_REFERENCES);
    outputs.set(path, output);
    return output;
  }

  #putActivity(part: Key, parent: Key, value: PartFields): void {
    const { message, activityChanges } = this.#options;
    activityChanges.push({ type: 'part', message, part, parent, before: null, value });
  }

  #removeActivity(part: Key): void {
    const { message, activityChanges } = this.#options;
    activityChanges.push({ type: 'remove', message, part });
  }
}

function toActivityKey(step: number): Key {
  return `@step-${String(step)}`;
}

function toOutputKey(step: number, output: number): Key {
  return `@step-${String(step)}-output-${String(output)}`;
}

/** Whether a string in the answer of a step has grown. */
function isOutput({ path, appended }: SectionChange): boolean {
  return appended !== null && (path === 'answer' || path.startsWith('answer/'));
}
