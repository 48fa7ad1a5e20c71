import type { ReactiveController } from 'lit';
import type { StreamController } from '../../controller/controller-types.js';
import { createLazyModule } from '../../message/create-lazy-module.js';
import type { Json } from '../../model/json.js';
import type { ComposerHost } from './composer-options.js';
import { settingsLoaders } from './draft.js';
import type { MessageOptions } from './message-options.js';

/** The module with the controls for context and options. */
export const lazyMessageOptions = createLazyModule(() => import('./message-options.js'));

/** Loads the controls for context and options when the host page sets a context or the service offers options. */
export class LazyMessageOptions implements ReactiveController {
  readonly host: ComposerHost;
  /** JSON Schema of the options that the service offers; null when there are none. */
  schema: Json = null;
  #controller: StreamController | null = null;
  #controls: MessageOptions | undefined;
  #isRequested = false;
  /** Whether the onboarding could not be loaded. */
  #hasFailed = false;
  /** Resolves when the last request for the onboarding has succeeded or failed. */
  #loading: Promise<void> | undefined;

  constructor(host: ComposerHost) {
    this.host = host;
    host.element.addController(this);
  }

  /**
   * Updates the settings of the next message. Resolves to false when the user has to correct an option first, which is shown. Rejects when
   * the code cannot be loaded, because a message must not be sent without the context that the host page has set. Waits for the onboarding of
   * a service that accepts settings, because the options that were chosen before, or are required, are known only then. Does not wait for an
   * onboarding that has failed, but requests it again.
   */
  async prepare(): Promise<boolean> {
    const controls = await this.#loadNeeded();
    return controls ? controls.validate() : true;
  }

  hostConnected(): void {
    if (this.#controller) settingsLoaders.set(this.#controller, this);
  }

  hostUpdated(): void {
    const { controller, context } = this.host;
    if (controller && controller !== this.#controller) this.#loadSchema(controller);
    if (this.#controls) this.#controls.update();
    else if (this.#isNeeded && !this.#isRequested) {
      this.#isRequested = true;
      this.#load().then((controls) => {
        controls.update();
      }, context.report);
    }
  }

  hostDisconnected(): void {
    this.#removeLoader();
    this.#controls?.disconnect();
  }

  get #isNeeded(): boolean {
    return Boolean(this.#controls ?? this.schema ?? this.host.element.context);
  }

  /** Removes this object from `settingsLoaders`, unless another composer of the controller has replaced it. */
  #removeLoader(): void {
    const controller = this.#controller;
    if (controller && settingsLoaders.get(controller) === this) settingsLoaders.delete(controller);
  }

  /** Resolves when the settings are known, without checking them, for a message that is edited or regenerated. */
  async restore(): Promise<void> {
    await (await this.#loadNeeded())?.restore();
  }

  /** Waits for the onboarding and loads the controls; null when there are none. */
  async #loadNeeded(): Promise<MessageOptions | null> {
    if (this.#hasFailed && this.#controller) this.#loadSchema(this.#controller);
    else if (this.host.controller?.backend.capabilities.has('context')) await this.#loading;
    return this.#isNeeded ? this.#load() : null;
  }

  async #load(): Promise<MessageOptions> {
    const { MessageOptions } = await lazyMessageOptions.load();
    return (this.#controls ??= new MessageOptions(this));
  }

  /** When the onboarding cannot be loaded, no options are offered until the next message is sent. */
  #loadSchema(controller: StreamController): void {
    this.#removeLoader();
    settingsLoaders.set(controller, this);
    this.#controller = controller;
    this.#hasFailed = false;
    this.schema = null;
    this.#loading = controller.loadOnboarding().then(
      ({ messageOptions = null }) => {
        if (controller !== this.#controller) return;
        this.schema = messageOptions;
        this.host.requestUpdate();
      },
      () => {
        this.#hasFailed ||= controller === this.#controller;
      },
    );
  }
}
