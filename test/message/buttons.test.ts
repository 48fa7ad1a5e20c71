import { expect } from '@open-wc/testing';
import { render } from 'lit';
import {
  renderForm,
  renderIconButton,
  type FormOptions,
  type IconButtonOptions,
} from '../../src/message/buttons.js';
import { renderIcon } from '../../src/message/icons.js';

/** A rendered form, and how often its Cancel button was clicked. */
function setupForm(options: Partial<FormOptions> = {}) {
  const root = document.createElement('div');
  let cancelled = 0;
  const defaults: FormOptions = {
    className: 'edit',
    submitLabel: 'Send',
    cancelLabel: 'Cancel',
    onSubmit: () => undefined,
    onCancel: () => (cancelled += 1),
  };
  render(renderForm({ ...defaults, ...options }, 'Fields'), root);
  const [submit, cancel] = root.querySelectorAll('button');
  return {
    root,
    cancel,
    cancelled: () => cancelled,
    /** Whether the form is busy, its submit button is disabled, and its cancel button is disabled. */
    states: () =>
      [
        root.querySelector('form')?.getAttribute('aria-busy'),
        submit?.getAttribute('aria-disabled'),
        cancel?.getAttribute('aria-disabled'),
      ].map((value) => value === 'true'),
  };
}

/** Renders an icon button and clicks it once. */
function setupIconButton(options: Partial<IconButtonOptions> = {}) {
  const root = document.createElement('div');
  let clicks = 0;
  const defaults: IconButtonOptions = {
    className: 'edit-button',
    icon: renderIcon('pencil'),
    label: 'Edit',
    onClick: () => (clicks += 1),
  };
  render(renderIconButton({ ...defaults, ...options }), root);
  const button = root.querySelector('button');
  button?.click();
  return { button, clicks };
}

describe('form', () => {
  it('is enabled unless it is busy or disabled', () => {
    expect(setupForm().states()).to.deep.equal([false, false, false]);
  });

  it('disables both buttons while it is busy', () => {
    expect(setupForm({ busy: true }).states()).to.deep.equal([true, true, true]);
  });

  it('disables only the submit button when it cannot be submitted', () => {
    expect(setupForm({ disabled: true }).states()).to.deep.equal([false, true, false]);
    expect(setupForm({ busy: true, disabled: false }).states()).to.deep.equal([true, false, true]);
  });

  it('shows its fields before the buttons, and calls back on Cancel', () => {
    const { root, cancel, cancelled } = setupForm();
    expect(root.textContent.replace(/\s+/g, ' ').trim()).to.equal('Fields Send Cancel');
    cancel?.click();
    expect(cancelled()).to.equal(1);
  });
});

describe('icon button', () => {
  it('is named by its title alone while it is enabled', () => {
    const { button, clicks } = setupIconButton();
    expect(button?.title).to.equal('Edit');
    expect(button?.hasAttribute('aria-label')).to.equal(false);
    expect(button?.getAttribute('aria-disabled')).to.equal('false');
    expect(clicks).to.equal(1);
  });

  it('shows why it is disabled, keeps its name, and ignores clicks', () => {
    const { button, clicks } = setupIconButton({ disabledReason: 'Not now' });
    expect(button?.title).to.equal('Not now');
    expect(button?.getAttribute('aria-label')).to.equal('Edit');
    expect(button?.getAttribute('aria-disabled')).to.equal('true');
    expect(clicks).to.equal(0);
  });
});
