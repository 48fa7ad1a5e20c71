/** @import * as Ubik from 'ubik-elements/controller.js' */
/** @import { Service } from './backend.mjs' */
/** @import { Look } from '../axes.mjs' */
import { createStreamController } from '../elements.mjs';
import { createBackend } from './backend.mjs';
import { createFrozenEnvironment, yieldToEventLoop } from './environment.mjs';

/**
 * The actions in a conversation before its screenshot is taken.
 *
 * @typedef {object} Scene
 * @property {string} [send] text that the user sends; the service's `run` follows
 * @property {number} [wait] ms by which the clock is advanced afterwards
 * @property {(controller: Ubik.StreamController) => unknown} [act] actions that are started and not awaited
 */

/**
 * Creates a controller of a service in memory, opens its thread and performs the scene.
 *
 * @param {Service} service @param {Scene} [scene]
 */
export async function converse(service, scene = {}) {
  const environment = createFrozenEnvironment();
  const controller = createStreamController({
    backend: createBackend(service),
    environment,
    keepAlive: true,
    limits: { backoffBase: 18_000 },
    page: { visible: true, online: true, onWake: () => none, onHide: () => none },
  });
  if (service.messages) await controller.openThread('t');
  if (scene.send) void forget(controller.send({ text: scene.send, attachments: [] }));
  await settle();
  if (scene.wait) await environment.advance(scene.wait);
  void forget(scene.act?.(controller));
  await settle();
  return controller;
}

const none = () => undefined;

/** Ignores the failure of an action: the screenshot shows it. @param {unknown} action */
const forget = (action) => Promise.resolve(action).catch(none);

/** Waits until all received changes are delivered, which takes fewer than eight turns of the event loop. */
async function settle() {
  for (let turn = 0; turn < 8; turn += 1) await yieldToEventLoop();
}

/**
 * Creates an element with properties and with the density of the look; the other settings apply to the page.
 *
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name @param {Look} look @param {Partial<HTMLElementTagNameMap[Name]>} [properties]
 */
export function make(name, look, properties = {}) {
  const element = document.createElement(name);
  Object.assign(element, properties);
  if (look.density === 'compact') element.setAttribute('density', look.density);
  return element;
}

/**
 * Creates a whole chat with a conversation.
 *
 * @param {Look} look @param {Service} service @param {Scene} [scene]
 */
export async function makeChat(look, service, scene) {
  return make('ubik-chat', look, { controller: await converse(service, scene) });
}

/** Creates a chat that opens its conversation itself, as on most pages. @param {Look} look @param {Service} service */
export function makeStartingChat(look, service) {
  return make('ubik-chat', look, { backend: createBackend(service), threadId: 't' });
}

/**
 * Puts several elements into one container, each in a separate box.
 *
 * @param {string} name class of the container: `corner` or `column` @param {...Element} elements
 */
export function makeBoard(name, ...elements) {
  const board = document.createElement('div');
  board.className = `board ${name}`;
  for (const element of elements) board.appendChild(document.createElement('div')).append(element);
  return board;
}

/**
 * Creates a transcript alone.
 *
 * @param {Look} look @param {Ubik.StoredMessage[]} messages @param {Service & Scene} [more]
 */
export async function makeTranscript(look, messages, more = {}) {
  return make('ubik-transcript', look, {
    controller: await converse({ messages, ...more }, more),
  });
}

/**
 * Calls a function in each frame until it returns a truthy value. Throws after 600 frames.
 *
 * @template T
 * @param {() => T | null | undefined | false} find
 * @returns {Promise<T>}
 */
export async function until(find) {
  for (let tries = 0; tries < 600; tries += 1) {
    const found = find();
    if (found) return found;
    await new Promise((resolve) => {
      requestAnimationFrame(resolve);
    });
  }
  throw new Error(`No result after 600 frames: ${String(find)}`);
}

/**
 * Waits for the first match of a selector in the shadow root of an element. Texts are not used, because they differ by language.
 *
 * @param {Element} element @param {string} selector @returns {Promise<HTMLElement>}
 */
export function find(element, selector) {
  return until(() => {
    const found = element.shadowRoot?.querySelector(selector);
    return found instanceof HTMLElement && found;
  });
}

/** Clicks the first match of a selector in the shadow root of an element. @param {Element} element @param {string} selector */
export async function press(element, selector) {
  const found = await find(element, selector);
  found.click();
  return found;
}

/** Waits until the content of a shadow root has not changed for four frames. @param {Element} element */
export async function waitUntilStable({ shadowRoot }) {
  let changes = 0;
  const observer = new MutationObserver(() => (changes += 1));
  if (shadowRoot)
    observer.observe(shadowRoot, { subtree: true, childList: true, attributes: true });
  for (let still = 0; still < 4;) {
    const before = changes;
    await new Promise((resolve) => {
      requestAnimationFrame(resolve);
    });
    still = changes === before ? still + 1 : 0;
  }
  observer.disconnect();
}
