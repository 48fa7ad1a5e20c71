import { controllersWithoutDrafts } from '../../controller/controller-storage.js';
import type { ControllerNotice, StreamController } from '../../controller/controller-types.js';
import type { Json, Key } from '../../model/json.js';
import type { ComposerHost } from './composer-options.js';

/** The values of all composers of a controller. */
const composers = new WeakMap<StreamController, Set<OptionValues>>();

/**
 * The options that the user has chosen, by name: the same in all composers of a controller. They are stored for each thread.
 * A thread without stored options starts with those that were chosen last in any thread, except inputs.
 */
export class OptionValues {
  /** Name of the option that contains the inputs of the agent; null when there is none. */
  inputs: string | null = null;
  /**
   * Revision of the values in the form for inputs. The form is created again when it changes: when another thread is shown, or inputs were
   * entered in another composer.
   */
  inputsRevision = 0;
  /** Resolves when the values of the shown thread were loaded. */
  restored = Promise.resolve();
  readonly #host: ComposerHost;
  readonly #onChange: () => void;
  #values = new Map<string, Json>();
  #controller: StreamController | undefined;
  /** Key of the shown thread; null for a thread that does not exist yet, undefined before the first load. */
  #thread: Key | null | undefined;
  /** Number of loads and changes. The result of an outdated load is discarded. */
  #revision = 0;
  #unsubscribe: (() => void) | undefined;

  /** `onChange` is called when values were chosen or restored. */
  constructor(host: ComposerHost, onChange: () => void) {
    this.#host = host;
    this.#onChange = onChange;
  }

  /** Returns the chosen value of an option; undefined when there is none. */
  get(name: string): Json | undefined {
    return this.#values.get(name);
  }

  /** Chooses a value in this and the other composers, and stores it; undefined removes the choice. */
  set(name: string, value: Json | undefined): void {
    this.#change(name, value);
    this.#store();
    const others = (this.#controller && composers.get(this.#controller)) ?? [];
    for (const other of others) if (other !== this) other.#adopt(name, value);
    // Called last, because each composer sets the settings of the next message, which are to be those of this one.
    this.#onChange();
  }

  /** Loads the values when another thread is shown. */
  update(): void {
    const { controller, element } = this.#host;
    // An update that was requested before the element was removed must not subscribe again.
    if (!controller || !element.isConnected) return;
    if (controller !== this.#controller) {
      this.disconnect();
      this.#controller = controller;
      this.#thread = undefined;
    }
    this.#unsubscribe ??= this.#connect(controller);
    const thread = controller.thread?.key ?? null;
    if (thread === this.#thread) return;
    // The first message has just created the thread: its options were chosen before and stay.
    const isCreated = this.#thread === null && controller.thread?.id === null;
    // The thread could not be created, so the message that returns to the field belongs to a new one again.
    const isNewAgain = !thread && controller.getThread(this.#thread ?? '')?.id === null;
    this.#thread = thread;
    if (!isCreated && !isNewAgain) this.restored = this.#restore(controller);
  }

  /** Ends the subscription; the next `update` adds it again. */
  disconnect(): void {
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
  }

  /** Subscribes to a controller, and adopts the values of its other composers. Returns the function that ends the subscription. */
  #connect(controller: StreamController): () => void {
    const unsubscribe = controller.onNotice((notice) => {
      this.#handleNotice(notice);
    });
    const unsubscribeList = controller.subscribe({ list: 'threads' }, (change) => {
      // The thread was deleted.
      if (change.type === 'item' && change.value === undefined)
        controller.storage.set(this.#nameOf(change.key), null);
    });
    const connected = composers.get(controller) ?? new Set<OptionValues>();
    const [other] = connected;
    // While this composer was removed, values may have been chosen in another one.
    if (other && other.#thread === this.#thread) {
      this.#revision += 1;
      this.#values = new Map(other.#values);
      this.inputsRevision += 1;
    }
    composers.set(controller, connected.add(this));
    return () => {
      unsubscribe();
      unsubscribeList();
      connected.delete(this);
    };
  }

  #change(name: string, value: Json | undefined): void {
    this.#revision += 1;
    if (value === undefined) this.#values.delete(name);
    else this.#values.set(name, value);
  }

  /** Shows a value that was chosen in another composer, which has stored it. */
  #adopt(name: string, value: Json | undefined): void {
    this.#change(name, value);
    if (name === this.inputs) this.inputsRevision += 1;
    this.#onChange();
  }

  /** Stores the values of a created thread under its id. */
  #handleNotice(notice: ControllerNotice): void {
    if (notice.type !== 'thread-created' || notice.thread !== this.#controller?.thread?.key) return;
    this.#thread = notice.thread;
    if (this.#values.size > 0) this.#store();
  }

  async #restore({ storage, thread }: StreamController): Promise<void> {
    this.inputsRevision += 1;
    const revision = (this.#revision += 1);
    if (this.inputs !== null) this.#values.delete(this.inputs);
    const [own, last] = await Promise.all([
      storage.get(this.#nameOf(thread?.id ?? '')),
      storage.get(this.#nameOf('')),
    ]);
    if (revision !== this.#revision) return;
    const entries = Object.entries(Object(own ?? last) as { readonly [name: string]: Json });
    this.#values = new Map(own === null ? this.#withoutInputs(entries) : entries);
    this.#onChange();
  }

  #store(): void {
    const { controller, element } = this.#host;
    if (!controller) return;
    const { storage, thread } = controller;
    const all = [...this.#values];
    const choices = this.#withoutInputs(all);
    const id = thread?.id ?? '';
    // Inputs are texts of the user, so the setting for drafts applies.
    const isTextStored = element.drafts !== 'off' && !controllersWithoutDrafts.has(controller);
    const stored = isTextStored ? all : choices;
    storage.set(this.#nameOf(id), Object.fromEntries(stored));
    if (id !== '') storage.set(this.#nameOf(''), Object.fromEntries(choices));
  }

  #withoutInputs(entries: readonly (readonly [string, Json])[]): (readonly [string, Json])[] {
    return entries.filter(([name]) => name !== this.inputs);
  }

  /**
   * Returns the name of the record of a thread, by the service's id. The record of the id '' has the choices of a thread that does not exist
   * yet, which are those made last in any thread.
   */
  #nameOf(thread: string): string {
    return JSON.stringify(['message-options', this.#host.element.agentId ?? '', thread]);
  }
}
