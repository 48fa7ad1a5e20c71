import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { uploadQueueOf, type UploadQueue } from '../../src/controller/documents/upload-queue.js';
import type { StreamController } from '../../src/controller/controller-types.js';
import { isUbikError } from '../../src/errors.js';
import type { Service } from '../simulation/world/service.js';
import type { TabNetwork } from '../simulation/world/tab-network.js';
import { createUbik, type Tab } from '../simulation/world/tab.js';
import { viewOf } from '../simulation/world/view.js';
import { World } from '../simulation/world/world.js';
import type { Fault } from './faults.js';

/** Method and path of a request. */
interface RequestLine {
  readonly method: string;
  readonly path: string;
}

/** A page of one user whose requests can be made to fail. */
export interface FaultyPage {
  readonly world: World;
  readonly tab: Tab;
  readonly controller: StreamController;
  readonly uploads: UploadQueue;
  /** Requests since the last call of {@link FaultyPage.clearRequests}. */
  readonly requests: readonly RequestLine[];
  /** Injects a fault into all requests that match; null removes it. */
  injectFault(fault: Fault | null, request: RegExp): void;
  clearRequests(): void;
  /** Sends a message and waits for the end of the answer. */
  send(text: string): Promise<void>;
  /** Holds the runs of the user before their first event. */
  hold(): void;
  release(): void;
  /** The outcome of an action after everything has settled: `done`, `open`, or the code of its error. */
  settleAction(action: () => Promise<unknown>): Promise<string>;
}

/** What a page shows: thread, lists, queue, draft and the names of uploads, as plain data. */
export function readPage({ tab, controller, uploads }: FaultyPage): unknown {
  const { thread } = controller;
  return {
    ...viewOf(tab),
    threads: [...controller.threads],
    run: thread?.run.state,
    queue: [...(thread?.list('queue') ?? [])],
    documents: [...(thread?.list('documents') ?? [])],
    draft: controller.getDraft(),
    uploads: uploads.tasks.map(({ name }) => name),
  };
}

let users = 0;

/** Opens a page of a new user. */
export async function openFaultyPage(context: TestContext, service: Service): Promise<FaultyPage> {
  users += 1;
  const world = new World(service, `ann-${String(users)}`, createUbik('F1'));
  const tab = await world.tab('A');
  const { controller, network, environment } = tab;
  context.after(() => tab.close());
  let injected: { readonly fault: Fault; readonly request: RegExp } | null = null;
  const requests: RequestLine[] = [];
  environment.respond((request) => {
    const path = request.url.slice(service.baseUrl.length).split('?', 1)[0] ?? '';
    requests.push({ method: request.method, path });
    const isAffected =
      injected && (injected.fault.everywhere || injected.request.test(`${request.method} ${path}`));
    if (!injected || !isAffected) return network.respond(request);
    return injected.fault.header === null
      ? loseResponse(network, request)
      : network.respond(withFault(request, injected.fault.header));
  });
  const page: FaultyPage = {
    world,
    tab,
    controller,
    uploads: uploadQueueOf(controller),
    requests,
    injectFault: (fault, request) => {
      injected = fault && { fault, request };
    },
    clearRequests: () => void requests.splice(0),
    send: async (text) => {
      await controller.send({ text, attachments: [] });
      await world.settle();
    },
    hold: () => service.pauses.hold(world.user, 'start'),
    release: () => service.pauses.release(world.user),
    settleAction: (action) => attempt(world, action),
  };
  return page;
}

function withFault(request: Request, fault: string): Request {
  const headers = new Headers(request.headers);
  headers.set('x-demo-fault', fault);
  return new Request(request, { headers });
}

/** Lets the service execute a request, and throws in place of the response. */
async function loseResponse(network: TabNetwork, request: Request): Promise<Response> {
  const { body } = await network.respond(request);
  await body?.cancel();
  throw new TypeError('The response was lost.');
}

/** See {@link FaultyPage.settleAction}. */
async function attempt(world: World, action: () => Promise<unknown>): Promise<string> {
  let outcome = 'open';
  const work = async () => action();
  work().then(
    () => (outcome = 'done'),
    (error: unknown) => {
      assert.ok(isUbikError(error), String(error));
      assert.match(error.message, /\S/u, 'the error has a message');
      assert.doesNotMatch(
        error.message,
        new RegExp(world.token, 'u'),
        'the message does not contain the token',
      );
      outcome = error.code;
      world.service.activity.notify();
    },
  );
  await world.settle();
  return outcome;
}
