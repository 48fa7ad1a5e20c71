import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { Capability } from '../../backends/backend.js';
import type { ControllerNotice, StreamController } from '../../conversation/controller-types.js';
import type { UbikError } from '../../errors.js';
import { UbikErrorEvent, UbikImageLoadEvent, UbikLinkOpenEvent } from '../../events.js';
import type { HeldClock } from '../../internal/clock.js';
import { onLocaleChange } from '../../locales/locale.js';
import type { Change } from '../../model/change.js';
import type { MarkdownPolicy } from '../../parts/markdown-body.js';
import type { ViewActs, ViewContext } from '../../parts/part-view.js';
import { createViewContext, languageOf } from '../views/view-context.js';
import { Session } from './session.js';

/** What an element wants to hear of its conversation. */
export interface LinkHooks {
  /** There is a conversation, or another one, or so much has changed that all is to be shown anew. */
  connected?(session: Session): void;
  changed?(change: Change): void;
  noticed?(notice: ControllerNotice): void;
  /** The words are to be written again: another language. */
  label?(): void;
  /** The element is in the page, or no longer. */
  run?(going: boolean): void;
  /** Answers a request in place of the session's own way. */
  readonly provideInput?: Session['provideInput'];
  /** Takes an act that was begun: what comes of it is to be shown. */
  attempt?(act: Promise<unknown>): void;
  errorDetails?(): boolean;
  policy?(): MarkdownPolicy;
}

/**
 * Ties an element to a conversation: language and clock of its views, one subscription, the session with its events. Lets go of
 * everything while the element is out of the page, and takes it up again where nothing was missed.
 */
export class ConversationLink implements ReactiveController {
  readonly context: ViewContext & { readonly clock: HeldClock };
  readonly #host: ReactiveControllerHost & HTMLElement;
  readonly #hooks: LinkHooks;
  #session: Session | null = null;
  #undo: (() => void)[] = [];
  #forgetLocale: (() => void) | null = null;
  #lang: string | null = null;
  #version = -1;
  #controller: StreamController | null = null;
  #closed = false;

  constructor(host: ReactiveControllerHost & HTMLElement, hooks: LinkHooks) {
    this.#host = host;
    this.#hooks = hooks;
    this.context = createViewContext({
      host,
      lang: () => (this.#lang ??= languageOf(host)),
      errorDetails: () => hooks.errorDetails?.() ?? false,
      policy: () => hooks.policy?.() ?? {},
      acts: this.#createActs(),
      report: (error) => {
        this.report(error);
      },
    });
    host.addController(this);
  }

  /** The present session; null while there is no conversation. */
  get session(): Session | null {
    return this.#session;
  }

  /** The conversation that is shown or was shown last. */
  get controller(): StreamController | null {
    return this.#controller;
  }

  /** Whether that conversation can still be used. */
  get isOpen(): boolean {
    return this.#controller !== null && !this.#closed;
  }

  hostConnected(): void {
    this.#lang = null;
    this.context.clock.run(true);
    this.#forgetLocale = onLocaleChange(() => this.#hooks.label?.());
    this.#hooks.run?.(true);
  }

  hostDisconnected(): void {
    this.#forgetLocale?.();
    this.context.clock.run(false);
    this.#hooks.run?.(false);
    this.#leave();
  }

  /** The language may be another one. */
  relabel(): void {
    this.#lang = null;
    this.#hooks.label?.();
  }

  /** Shows a conversation. The one that is shown already is only taken up again. */
  use(controller: StreamController): void {
    if (this.#session?.controller === controller) return;
    const known =
      this.#controller === controller && this.#version === controller.version({ thread: true });
    this.#leave();
    this.#controller = controller;
    this.#closed = false;
    const session = new Session({
      host: this.#host,
      controller,
      decline: () => this.context.locale.text('requestDeclineSentence'),
      onNotice: (notice) => this.#hooks.noticed?.(notice),
    });
    this.#session = session;
    this.#undo = [
      controller.subscribe({ thread: true }, (change) => this.#hooks.changed?.(change)),
      () => {
        this.#version = controller.version({ thread: true });
        session.dispose();
        // It may close now that nobody holds it; nothing else would tell us.
        const stop = controller.notices(({ type }) => {
          if (type !== 'closed') return;
          if (this.#controller === controller) this.#closed = true;
          stop();
        });
      },
    ];
    if (!known) this.#hooks.connected?.(session);
  }

  /** Fires an error on the element. */
  report(error: UbikError): void {
    const { code, message, status } = error;
    const event = new UbikErrorEvent({ code, message, status: status ?? null });
    this.#host.dispatchEvent(event);
  }

  /** Tells the page that a link is about to be followed; the page may keep it. */
  readonly handleLink = (event: Event): void => {
    const { target } = event;
    const link = target instanceof Element ? target.closest('a') : null;
    if (!link?.href || link.download || event.defaultPrevented) return;
    const opening = new UbikLinkOpenEvent({ url: link.href });
    this.#host.dispatchEvent(opening);
    if (opening.defaultPrevented) event.preventDefault();
  };

  #leave(): void {
    this.#undo.forEach((undo) => {
      undo();
    });
    this.#undo = [];
    this.#session = null;
  }

  /** What the service cannot do is not there, so that no view shows a control for it. */
  #createActs(): ViewActs {
    const hooks = this.#hooks;
    const can = (capability: Capability): Session | null =>
      this.#session?.controller.backend.capabilities.has(capability) ? this.#session : null;
    return {
      get provideInput() {
        const session = can('input');
        return session ? (hooks.provideInput ?? session.provideInput) : undefined;
      },
      get restore() {
        const session = can('checkpoints');
        return session
          ? (name: string, hint: string | null) => hooks.attempt?.(session.restore(name, hint))
          : undefined;
      },
      get media() {
        const backend = can('media')?.controller.backend;
        return backend?.media?.bind(backend);
      },
      get passage() {
        const backend = can('citations')?.controller.backend;
        return backend?.passage?.bind(backend);
      },
      isTaken: (message, request) => this.#session?.isTaken(message, request) ?? false,
      loadImage: (url) => {
        const loading = new UbikImageLoadEvent({ url });
        this.#host.dispatchEvent(loading);
        return !loading.defaultPrevented;
      },
    };
  }
}
