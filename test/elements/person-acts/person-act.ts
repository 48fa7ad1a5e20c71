import type { ScriptedBackend } from '../../controller/scripted-backend.js';

/** What a person writes. */
export const TEXT = 'Do not lose me';

/** What every stage of an element has. */
export interface Stage {
  readonly target: HTMLElement;
  readonly root: ShadowRoot;
  readonly backend: ScriptedBackend;
  settle(): Promise<void>;
}

/** Where one act is tried. */
export interface ActStage extends Stage {
  act(): Promise<unknown>;
  /** What must not be lost. */
  kept(): unknown;
}

/** One act of a person. */
export interface PersonAct {
  readonly name: string;
  readonly before: string;
  /** Null where it is the browser that does it. */
  readonly past: string | null;
  /** What the service is asked for it; null: nothing. */
  readonly method: string | null;
  setUp(): Promise<ActStage>;
  /** Its stream has begun, or its run ended; unless the call itself says so. */
  succeed?(stage: Stage): unknown;
  /** What stands there when it was not done, if that is not what stood there before: what was written. */
  readonly written?: unknown;
  /** It opens a stream, which breaks with this; unless the call itself rejects. */
  readonly streams?: boolean;
}

/** The stream of an act begins. */
export const begin = ({ backend }: Stage): void => backend.stream.begin();

/** Writes into a field, as a person does. */
export function fill(field: HTMLTextAreaElement | HTMLInputElement, text: string): void {
  field.value = text;
  field.dispatchEvent(new InputEvent('input', { bubbles: true }));
  field.focus();
}
