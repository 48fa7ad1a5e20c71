import type { Key } from '../../../../model/json.js';
import { createContainer, type Container } from './content-writer.js';
import { behind } from '../keys.js';
import { splitLabel } from '../split/tag.js';

/** So many tools are open at a time: one more, and the oldest counts as incomplete. Bounds what a tag costs. */
export const MAX_OPEN_TOOLS = 64;

/** A tool whose end has not come. */
export interface OpenTool {
  readonly key: Key;
  readonly name: string;
  readonly toolId: string;
  /** Made by a block that had no tool: its result is its end. */
  readonly anonymous: boolean;
  /** It stands in the open step. */
  readonly inStep: boolean;
  /** What stands between its tags, outside of its blocks. */
  readonly inside: Container;
  /** The anchor of what follows it. */
  readonly anchor: string;
  hasInput: boolean;
  hasResult: boolean;
}

/** A tool that has just been opened. */
export function createOpenTool(
  key: Key,
  label: string,
  place: { readonly inStep: boolean; readonly anonymous: boolean },
): OpenTool {
  const inside = createContainer(key);
  const anchor = behind(key);
  return { key, ...splitLabel(label), ...place, inside, anchor, hasInput: false, hasResult: false };
}

/** The tool (of those that are open, the newest first) that an end tag closes: the newest one with that id, else with that name, else the newest. */
export function findEnding(tools: readonly OpenTool[], label: string): OpenTool | undefined {
  const { name, toolId } = splitLabel(label);
  return (
    (toolId === '' ? undefined : tools.find((tool) => tool.toolId === toolId)) ??
    tools.find((tool) => tool.name === name) ??
    tools[0]
  );
}

/** The tool (of those that are open, the newest first) that a block without an id belongs to: the newest one that has no such block yet. */
export function findLacking(
  tools: readonly OpenTool[],
  block: 'input' | 'result',
): OpenTool | undefined {
  return tools.find((tool) => !(block === 'input' ? tool.hasInput : tool.hasResult));
}
