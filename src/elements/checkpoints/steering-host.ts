import type { StreamController } from '../../conversation/controller-types.js';
import type { ElementContext } from '../views/view-context.js';

/** The element around a dialog or a panel. */
export interface SteeringHost {
  readonly context: ElementContext;
  /** Where its nodes are. */
  readonly renderRoot: HTMLElement | DocumentFragment;
  /** The conversation that is shown. */
  readonly conversation: StreamController | null;
}
