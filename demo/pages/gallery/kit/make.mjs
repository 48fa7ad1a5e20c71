/** @import * as Ubik from 'ubik-elements/controller.js' */
/** @import { Service } from './backend.mjs' */
/** @import { Look } from '../axes.mjs' */
import { createStreamController } from '../elements.mjs';
import { createBackend } from './backend.mjs';
import { createStillEnvironment, yieldToEventLoop } from './environment.mjs';

/**
 * What happens in a conversation before its picture is taken.
 *
 * @typedef {object} Scene
 * @property {string} [send] what the person sends; the service's `run` follows
 * @property {number} [wait] then, ms that pass
 * @property {(controller: Ubik.StreamController) => unknown} [then] acts that are begun; nobody waits for their end
 */

/**
 * A conversation at a service in memory: its thread is open, and the scene has been played.
 *
 * @param {Service} service @param {Scene} [scene]
 */
export async function converse(service, scene = {}) {
  const environment = createStillEnvironment();
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
  void forget(scene.then?.(controller));
  await settle();
  return controller;
}

const none = () => undefined;

/** What becomes of an act is seen in the picture. @param {unknown} act */
const forget = (act) => Promise.resolve(act).catch(none);

/** Lets all that is known be told. */
async function settle() {
  for (let turn = 0; turn < 8; turn += 1) await yieldToEventLoop();
}

/**
 * An element with properties; those of the look that it has are set too.
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
 * A whole chat at a conversation.
 *
 * @param {Look} look @param {Service} service @param {Scene} [scene]
 */
export async function makeChat(look, service, scene) {
  return make('ubik-chat', look, { controller: await converse(service, scene) });
}

/** A chat that looks for its conversation by itself, as on most pages. @param {Look} look @param {Service} service */
export function makeStartingChat(look, service) {
  return make('ubik-chat', look, { backend: createBackend(service), threadId: 't' });
}

/**
 * Several elements in one box, each with a place of its own, out of which nothing goes that stands above its page.
 *
 * @param {string} name a class @param {...Element} elements
 */
export function makeBoard(name, ...elements) {
  const board = document.createElement('div');
  board.className = `board ${name}`;
  for (const element of elements) board.appendChild(document.createElement('div')).append(element);
  return board;
}

/**
 * The messages alone.
 *
 * @param {Look} look @param {Ubik.StoredMessage[]} messages @param {Service & Scene} [more]
 */
export async function makeTranscript(look, messages, more = {}) {
  return make('ubik-transcript', look, {
    controller: await converse({ messages, ...more }, more),
  });
}

/** Waits, frame by frame, until there is something. @template T @param {() => T | null | undefined | false} find @returns {Promise<T>} */
export async function until(find) {
  for (let tries = 0; tries < 600; tries += 1) {
    const found = find();
    if (found) return found;
    await new Promise((resolve) => {
      requestAnimationFrame(resolve);
    });
  }
  throw new Error(`Nothing came of ${String(find)}`);
}

/**
 * Waits for the first thing in an element that fits a selector. By its words nothing is found, for they are others in each language.
 *
 * @param {Element} element @param {string} selector @returns {Promise<HTMLElement>}
 */
export function find(element, selector) {
  return until(() => {
    const found = element.shadowRoot?.querySelector(selector);
    return found instanceof HTMLElement && found;
  });
}

/** Presses it. @param {Element} element @param {string} selector */
export async function press(element, selector) {
  const found = await find(element, selector);
  found.click();
  return found;
}

/** Waits until an element has stood still for a few frames. @param {Element} element */
export async function rest({ shadowRoot }) {
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
