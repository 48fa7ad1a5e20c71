import type { ScriptedBackend } from '../../controller/scripted-backend.js';

/** A text of the user that must not be lost. */
export const TEXT = 'Do not lose me';

/** The element under test. */
export interface Fixture {
  readonly target: HTMLElement;
  readonly root: ShadowRoot;
  readonly backend: ScriptedBackend;
  settle(): Promise<void>;
}

/** The element under test, before an action. */
export interface ActionFixture extends Fixture {
  perform(): Promise<unknown>;
  /** Returns the state that must not be lost when the action is cancelled. */
  snapshot(): unknown;
}

/** An action of the user, with its events. */
export interface UserAction {
  readonly name: string;
  /** The cancelable event before it; null if the host page has no reason to prevent the action. */
  readonly before: string | null;
  /** The event after it; null if the host page need not react to it. */
  readonly after: string | null;
  /** The backend method that it calls; null if there is none. */
  readonly method: string | null;
  setUp(): Promise<ActionFixture>;
  /** Completes the action at the service if the call alone does not. */
  succeed?(fixture: Fixture): unknown;
  /** The snapshot after the action was cancelled, if it differs from the one before. */
  readonly snapshotWhenCancelled?: unknown;
  /** Whether the service rejects it by its stream instead of the call. */
  readonly isStreamed?: boolean;
}

/** Starts the stream of the run. */
export const beginRun = ({ backend }: Fixture): void => backend.stream.begin();

/** Types a text into a field. */
export function fill(field: HTMLTextAreaElement | HTMLInputElement, text: string): void {
  field.value = text;
  field.dispatchEvent(new InputEvent('input', { bubbles: true }));
  field.focus();
}
