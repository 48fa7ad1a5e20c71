import 'ubik-elements/define.js';
import { Component, CUSTOM_ELEMENTS_SCHEMA, signal } from '@angular/core';
import type { UbikInputRequiredEvent, UbikMessageSentEvent } from 'ubik-elements';
import { controller } from './chat';
import { followRoute, runStateSignal } from './thread-signals';

/** A page with a chat, and controls of the app that use the same controller. */
@Component({
  selector: 'app-root',
  schemas: [CUSTOM_ELEMENTS_SCHEMA],
  template: `
    <header>
      <button id="toggle" (click)="isShown.set(!isShown())">
        {{ isShown() ? 'Hide chat' : 'Show chat' }}
      </button>
      <button id="stop" [disabled]="runState() !== 'streaming'" (click)="controller.stop()">
        Stop
      </button>
      <output id="state">{{ runState() }}</output>
      <output id="sent">{{ lastSent() }}</output>
    </header>
    @if (request(); as open) {
      <form id="request" (submit)="respond($event, answer.value)">
        <label>
          {{ open.detail.prompt }}
          <input #answer name="answer" />
        </label>
        <button>Submit</button>
      </form>
    }
    @if (isShown()) {
      <ubik-chat
        [controller]="controller"
        [starters]="starters"
        layout="inline"
        (ubik-message-sent)="showSent($event)"
        (ubik-input-required)="answerRequest($event)"
      >
        <ubik-thread-list slot="start"></ubik-thread-list>
      </ubik-chat>
    }
  `,
})
export class App {
  protected readonly controller = controller;
  protected readonly starters = ['What can you do?'];
  protected readonly isShown = signal(true);
  protected readonly lastSent = signal('');
  protected readonly request = signal<UbikInputRequiredEvent | null>(null);
  protected readonly runState = runStateSignal();

  constructor() {
    followRoute();
  }

  protected showSent(event: UbikMessageSentEvent): void {
    this.lastSent.set(event.detail.text);
  }

  protected answerRequest(event: UbikInputRequiredEvent): void {
    // The app shows its own form instead of the one in the chat.
    event.preventDefault();
    this.request.set(event);
  }

  protected async respond(event: Event, text: string): Promise<void> {
    event.preventDefault();
    await this.request()?.respond(text);
    this.request.set(null);
  }
}
