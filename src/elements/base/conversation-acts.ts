import type { LitElement } from 'lit';
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
import { describeMessage, describeThread } from '../connection/announce.js';
import type { ActingHost } from './acting-host.js';

const branchMap = deferFile(() => import('../branches/map-dialog.js'));
const comparison = deferFile(() => import('../checkpoints/compare-dialog.js'));
const messageMenu = deferFile(() => import('../menu/message-menu.js'));
const checkpoints = deferFile(() => import('../checkpoints/checkpoints.js'));

/** What the acts of views need of the element around them. */
export interface SteeringHost<E extends LitElement = LitElement> extends ActingHost<E> {
  provideInput(message: Key, request: Key, answer: InputAnswer): Promise<void>;
  isTaken(message: Key, request: Key): boolean;
  /** Why a text cannot be sent as a message, as a sentence; empty when it can. */
  refuse(text: string): string;
  /** Leads to a message that is shown. */
  leadTo(message: Key): void;
}

/** What views may ask of an element at a conversation. What its service cannot do is not there: no view shows a control for it. */
export function createActs(host: SteeringHost): ViewActs {
  const able = (capability: Capability): Backend | undefined => {
    const backend = host.conversation?.backend;
    return backend?.capabilities.has(capability) ? backend : undefined;
  };
  const provideInput: ViewActs['provideInput'] = (...answer) => host.provideInput(...answer);
  const restore: ViewActs['restore'] = (point) => void host.attempt(askBack(host, point));
  const compare: ViewActs['compare'] = (message) => void host.attempt(showBoth(host, message));
  const edit: ViewActs['edit'] = (...version) => editMessage(host, ...version);
  const regenerate: ViewActs['regenerate'] = (message) => regenerateMessage(host, message);
  const navigate: ViewActs['navigate'] = (id) => navigateTo(host, id);
  const openBranchMap = (): void =>
    void host.attempt(
      host.act([], async () => (await branchMap.load()).openBranchMap(host, host.leadTo)),
    );
  const openMenu: ViewActs['openMenu'] = (...place) => void host.attempt(showMenu(host, ...place));
  return {
    openMenu,
    get provideInput() {
      return able('input') && provideInput;
    },
    get restore() {
      return able('checkpoints') && restore;
    },
    get thread() {
      return host.conversation?.thread ?? null;
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
      return able('branches')?.loadMessage && host.conversation?.readVersion;
    },
    get media() {
      const backend = able('media');
      return backend?.media?.bind(backend);
    },
    get passage() {
      const backend = able('citations');
      return backend?.passage?.bind(backend);
    },
    isTaken: (message, request) => host.isTaken(message, request),
    refuse: (text) => host.refuse(text),
  };
}

/** Shows what going back to a checkpoint would leave behind, and goes when the person wants it. */
function askBack(host: SteeringHost, point: RestorePoint): Promise<boolean> {
  return host.act([], async () => {
    const { openRestoreDialog } = await checkpoints.load();
    openRestoreDialog(host, point, (...way) => goBack(host, ...way));
  });
}

/** Shows what else can be done with a message, at its button. */
function showMenu(host: SteeringHost, message: Key, button: HTMLElement): Promise<boolean> {
  return host.act([], async () => {
    (await messageMenu.load()).openMessageMenu(host, message, button);
  });
}

/** Shows two ways side by side, of which the person may choose one. */
function showBoth(host: SteeringHost, message: Key): Promise<boolean> {
  return host.act([], async () => {
    const { openCompareDialog } = await comparison.load();
    openCompareDialog(host, message, (id) => navigateTo(host, id));
  });
}

/** Goes back to a checkpoint; the page may change the hint. */
function goBack(
  { conversation, act }: SteeringHost,
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
  { conversation, act }: SteeringHost,
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
function regenerateMessage({ conversation, act }: SteeringHost, message: Key): Promise<boolean> {
  const detail = describeMessage(conversation, message);
  return act(
    [new UbikMessageRegenerateEvent(detail)],
    async () => conversation?.regenerate(message),
    () => new UbikMessageRegeneratedEvent(detail),
  );
}

/** Shows another version of a message, by the server's id of it. */
function navigateTo({ conversation, act }: SteeringHost, messageId: string): Promise<boolean> {
  const detail = { ...describeThread(conversation), messageId };
  return act(
    [new UbikBranchNavigateEvent(detail)],
    async () => conversation?.navigate(messageId),
    () => new UbikBranchNavigatedEvent(detail),
  );
}
