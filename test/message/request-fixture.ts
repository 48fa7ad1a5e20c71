import type { Answer } from '../../src/message/part-view.js';
import { lazyAnswerForm, lazyRequestView } from '../../src/message/request/lazy-request.js';
import { part, request, setupMessageView } from './message-fixture.js';

before(() => Promise.all([lazyAnswerForm.load(), lazyRequestView.load()]));

/** A fixture that records the answers, each of which the test resolves or rejects. */
export function setupForm() {
  const answers: { message: string; request: string; answer: Answer }[] = [];
  let pending: { resolve: () => void; reject: (error: unknown) => void } | undefined;
  const fixture = setupMessageView({
    styled: true,
    fields: { status: 'waiting' },
    actions: {
      provideInput: (message, name, answer) => {
        answers.push({ message, request: name, answer });
        return new Promise((resolve, reject) => (pending = { resolve, reject }));
      },
    },
  });
  const submit = (): void => fixture.query<HTMLFormElement>('.request form').requestSubmit();
  return { ...fixture, answers, submit, pending: () => pending };
}

/** A fixture with one pending request. */
export function setupPendingRequest(more: object) {
  const fixture = setupForm();
  fixture.run(part('@request:c', request(null, more), '@activity'));
  const fields = (): HTMLElement[] => [...fixture.root.querySelectorAll<HTMLElement>('.entry')];
  return {
    ...fixture,
    fields,
    /** Sets the value of a field. */
    fill: (value: string, index = 0): void => {
      const selector = `[name='field-${index}']`;
      fixture.query<HTMLInputElement>(selector).value = value;
    },
    /** Clicks a choice by its label. */
    choose: (words: string, index = 0): void => {
      const labels = [...(fields()[index]?.querySelectorAll<HTMLElement>('.choice') ?? [])];
      const label = labels.find(({ textContent }) => textContent.trim() === words);
      if (!label) throw new Error(`There is no choice "${words}".`);
      label.click();
    },
    /** Presses the button of a choice. */
    press: (words: string): void => {
      const buttons = [...fixture.root.querySelectorAll<HTMLElement>('.choice-button')];
      const button = buttons.find(({ textContent }) => textContent.trim() === words);
      if (!button) throw new Error(`There is no choice "${words}".`);
      button.click();
    },
    error: () => fixture.text('.request [role=alert]'),
    answer: () => fixture.answers.at(-1)?.answer,
  };
}
