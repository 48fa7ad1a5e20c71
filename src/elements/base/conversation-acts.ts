import type { Backend, Capability, InputAnswer } from '../../backends/backend.js';
import {
  UbikBranchNavigatedEvent,
  UbikBranchNavigateEvent,
  UbikCheckpointNavigatedEvent,
  UbikCheckpointNavigateEvent,
  UbikMessageEditedEvent,
  UbikMessageEditEvent,
  UbikMessageRegeneratedEvent,
  UbikMessageRegenerateEvent,
} from '../../events/index.js';
import type { Key } from '../../model/json.js';
import { deferFile } from '../../parts/deferred.js';
import type { RestorePoint, ViewActs } from '../../parts/part-view.js';
import type { SteeringHost } from '../checkpoints/steering-host.js';
import { describeMessage, describeThread } from '../connection/announce.js';

const branchMap = deferFile(() => import('../branches/map-dialog.js'));
const comparison = deferFile(() => import('../checkpoints/compare-dialog.js'));
const checkpoints = deferFile(() => import('../checkpoints/checkpoints.js'));

/** What the acts of views need of the element around them. */
export interface ActingElement extends SteeringHost {
  /** Fires the events before an act, does it, fires the event after it. False when it was cancelled. */
  act(before: readonly Event[], run: () => Promise<unknown>, after?: () => Event): Promise<boolean>;
  attempt(act: Promise<unknown>): Promise<boolean>;
  provideInput(message: Key, request: Key, answer: InputAnswer): Promise<void>;
  isTaken(message: Key, request: Key): boolean;
  /** Leads to a message that is shown. */
  leadTo(message: Key): void;
}

/** What views may ask of an element at a conversation. What its service cannot do is not there: no view shows a control for it. */
export function createActs(element: ActingElement): ViewActs {
  const able = (capability: Capability): Backend | undefined => {
    const backend = element.conversation?.backend;
    return backend?.capabilities.has(capability) ? backend : undefined;
  };
  const provideInput: ViewActs['provideInput'] = (...answer) => element.provideInput(...answer);
  const restore: ViewActs['restore'] = (point) => void element.attempt(askBack(element, point));
  const compare: ViewActs['compare'] = (message) =>
    void element.attempt(showBoth(element, message));
  const edit: ViewActs['edit'] = (...version) => editMessage(element, ...version);
  const regenerate: ViewActs['regenerate'] = (message) => regenerateMessage(element, message);
  const navigate: ViewActs['navigate'] = (id) => navigateTo(element, id);
  const openBranchMap = (): void =>
    void element.attempt(
      element.act([], async () => (await branchMap.load()).openBranchMap(element, element.leadTo)),
    );
  return {
    get provideInput() {
      return able('input') && provideInput;
    },
    get restore() {
      return able('checkpoints') && restore;
    },
    get thread() {
      return element.conversation?.thread ?? null;
    },
    get edit() {
      return able('edit') && edit;
    },
    get regenerate() {
      return able('regenerate') && regenerate;
    },
    get navigate() {
      return able('branches') && navigate;
    },
    get openBranchMap() {
      return able('branches') && openBranchMap;
    },
    get compare() {
      return able('branches') && compare;
    },
    get readVersion() {
      return able('branches')?.loadMessage && element.conversation?.readVersion;
    },
    get media() {
      const backend = able('media');
      return backend?.media?.bind(backend);
    },
    get passage() {
      const backend = able('citations');
      return backend?.passage?.bind(backend);
    },
    isTaken: (message, request) => element.isTaken(message, request),
  };
}

/** Shows what going back to a checkpoint would leave behind, and goes when the person wants it. */
function askBack(element: ActingElement, point: RestorePoint): Promise<boolean> {
  return element.act([], async () => {
    const { openRestoreDialog } = await checkpoints.load();
    openRestoreDialog(element, point, (...way) => goBack(element, ...way));
  });
}

/** Shows two ways side by side, of which the person may choose one. */
function showBoth(element: ActingElement, message: Key): Promise<boolean> {
  return element.act([], async () => {
    const { openCompareDialog } = await comparison.load();
    openCompareDialog(element, message, (id) => navigateTo(element, id));
  });
}

/** Goes back to a checkpoint; the page may change the hint. */
function goBack(
  { conversation, act }: ActingElement,
  checkpoint: string,
  hint: string | null,
): Promise<boolean> {
  const detail = { ...describeThread(conversation), checkpoint };
  const event = new UbikCheckpointNavigateEvent(detail, hint);
  return act(
    [event],
    async () => conversation?.restore(checkpoint, event.hint),
    () => new UbikCheckpointNavigatedEvent({ ...detail, hint: event.hint }),
  );
}

/** Sends another version of a question. */
function editMessage(
  { conversation, act }: ActingElement,
  message: Key,
  text: string,
): Promise<boolean> {
  const detail = { ...describeMessage(conversation, message), text };
  return act(
    [new UbikMessageEditEvent(detail)],
    async () => conversation?.edit(message, { text, attachments: [] }),
    () => new UbikMessageEditedEvent(detail),
  );
}

/** Asks for another answer. */
function regenerateMessage({ conversation, act }: ActingElement, message: Key): Promise<boolean> {
  const detail = describeMessage(conversation, message);
  return act(
    [new UbikMessageRegenerateEvent(detail)],
    async () => conversation?.regenerate(message),
    () => new UbikMessageRegeneratedEvent(detail),
  );
}

/** Shows another version of a message, by the server's id of it. */
function navigateTo({ conversation, act }: ActingElement, messageId: string): Promise<boolean> {
  const detail = { ...describeThread(conversation), messageId };
  return act(
    [new UbikBranchNavigateEvent(detail)],
    async () => conversation?.navigate(messageId),
    () => new UbikBranchNavigatedEvent(detail),
  );
}
