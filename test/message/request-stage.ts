import type { Answer } from '../../src/message/part-view.js';
import { lazyAnswerForm } from '../../src/message/request/request-view.js';
import { part, request, setupStage } from './message-stage.js';

before(() => lazyAnswerForm.load());

/** A stage whose answers are gathered; each is taken when the test says so. */
export function setupForm() {
  const answers: { message: string; request: string; answer: Answer }[] = [];
  let settle: { take: () => void; refuse: (error: unknown) => void } | undefined;
  const stage = setupStage({
    fields: { status: 'waiting' },
    acts: {
      provideInput: (message, name, answer) => {
        answers.push({ message, request: name, answer });
        return new Promise((take, refuse) => (settle = { take, refuse }));
      },
    },
  });
  const submit = (): void => stage.query<HTMLFormElement>('.request form').requestSubmit();
  return { ...stage, answers, submit, settle: () => settle };
}

/** A stage with one open question. */
export function askFor(more: object) {
  const stage = setupForm();
  stage.run(part('@request:c', request(null, more), '@activity'));
  const fields = (): HTMLElement[] => [...stage.root.querySelectorAll<HTMLElement>('.entry')];
  return {
    ...stage,
    fields,
    /** Fills in the control of a field. */
    fill: (value: string, index = 0): void => {
      const name = `[name='field-${index}']`;
      stage.query<HTMLInputElement>(`${name}`).value = value;
    },
    /** Presses a choice by its words. */
    choose: (words: string, index = 0): void => {
      const labels = [...(fields()[index]?.querySelectorAll<HTMLElement>('.choice') ?? [])];
      const label = labels.find(({ textContent }) => textContent.trim() === words);
      if (!label) throw new Error(`No ${words}.`);
      label.click();
    },
    complaint: () => stage.text('.request [role=alert]'),
    answer: () => stage.answers.at(-1)?.answer,
  };
}
