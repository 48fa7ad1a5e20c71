import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { uploadQueueOf, type UploadQueue } from '../../src/controller/documents/upload-queue.js';
import type { StreamController } from '../../src/controller/controller-types.js';
import { isUbikError } from '../../src/errors.js';
import { startService } from '../steering/world/service.js';
import type { Cable } from '../steering/world/cable.js';
import type { Tab } from '../steering/world/tab.js';
import { viewOf } from '../steering/world/view.js';
import { World } from '../steering/world/world.js';
import type { Trouble } from './troubles.js';

/** A request as a tab has made it. */
interface Asked {
  readonly method: string;
  readonly path: string;
}

/** One person at one page, whose requests may meet trouble. */
export interface Stage {
  readonly world: World;
  readonly tab: Tab;
  readonly controller: StreamController;
  readonly uploads: UploadQueue;
  /** Requests since the last call of {@link Stage.listen}. */
  readonly asked: readonly Asked[];
  /** From now on requests like this meet trouble; null: none does. */
  meet(trouble: Trouble | null, request: RegExp): void;
  listen(): void;
  /** Sends a message and lets the answer come to its end. */
  send(text: string): Promise<void>;
  /** Holds what is begun before it says anything. */
  hold(): void;
  release(): void;
  /** What becomes of an act once everything is quiet: `done`, `open`, or the code of its error. */
  attempt(act: () => Promise<unknown>): Promise<string>;
}

/** Everything that a person sees, as plain data. */
export function lookAt({ tab, controller, uploads }: Stage): unknown {
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

/** Opens a page of a person without anything. */
export async function openStage(context: TestContext): Promise<Stage> {
  const service = await startService(context);
  const world = new World(service, 'ann', 'F1');
  const tab = await world.tab('A');
  const { controller, cable, environment } = tab;
  context.after(() => tab.close());
  let met: { readonly trouble: Trouble; readonly request: RegExp } | null = null;
  const asked: Asked[] = [];
  environment.respond((request) => {
    const path = request.url.slice(service.baseUrl.length).split('?', 1)[0] ?? '';
    asked.push({ method: request.method, path });
    const isMeant =
      met && (met.trouble.everywhere || met.request.test(`${request.method} ${path}`));
    if (!met || !isMeant) return cable.answer(request);
    return met.trouble.fault === null
      ? loseAnswer(cable, request)
      : cable.answer(withFault(request, met.trouble.fault));
  });
  const stage: Stage = {
    world,
    tab,
    controller,
    uploads: uploadQueueOf(controller),
    asked,
    meet: (trouble, request) => {
      met = trouble && { trouble, request };
    },
    listen: () => void asked.splice(0),
    send: async (text) => {
      await controller.send({ text, attachments: [] });
      await world.settle();
    },
    hold: () => service.gates.hold(world.person, 'start'),
    release: () => service.gates.release(world.person),
    attempt: (act) => attempt(world, act),
  };
  return stage;
}

function withFault(request: Request, fault: string): Request {
  const headers = new Headers(request.headers);
  headers.set('x-demo-fault', fault);
  return new Request(request, { headers });
}

/** The service does what it was asked for, and nobody hears of it. */
async function loseAnswer(cable: Cable, request: Request): Promise<Response> {
  const { body } = await cable.answer(request);
  await body?.cancel();
  throw new TypeError('The answer was lost.');
}

async function attempt(world: World, act: () => Promise<unknown>): Promise<string> {
  let outcome = 'open';
  const work = async () => act();
  work().then(
    () => (outcome = 'done'),
    (error: unknown) => {
      assert.ok(isUbikError(error), String(error));
      assert.match(error.message, /\S/u, 'it says something');
      assert.doesNotMatch(error.message, new RegExp(world.token, 'u'), 'it keeps the token');
      outcome = error.code;
      world.service.bell.ring();
    },
  );
  await world.settle();
  return outcome;
}
