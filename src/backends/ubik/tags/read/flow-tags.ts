import type { Key } from '../../../../model/json.js';
import {
  createOpenTool,
  findEnding,
  findLacking,
  MAX_OPEN_TOOLS,
  type OpenTool,
} from './open-tools.js';
import type { Reading } from './reading.js';
import { joinLabel, splitLabel, type Tag } from '../split/tag.js';
import type { TagAct } from '../split/splitter-types.js';

/**
 * Tags of tools and thoughts, live and stored. In the text of a checkpoint, a request or an error they are text. Tools stand side by
 * side in their step or message, never in one another, so that blocks of parallel tools may interleave.
 */
export function flowTag(reading: Reading, tag: Tag): TagAct {
  if (!reading.isOpen()) return 'literal';
  reading.state.expectsDetails = false;
  reading.break();
  switch (tag.kind) {
    case 'event-start':
      return 'skip';
    case 'event-end':
      return 'acted';
    case 'thinking':
      // A second one closes the thought: the first published version of the format did so.
      if (!reading.closeThinking()) reading.writer.openThinking(reading.target());
      return 'acted';
    default:
      reading.closeThinking();
      return toolTag(reading, tag);
  }
}

/** The raw text of a tool's block has come. */
export function takeBlock(
  reading: Reading,
  block: 'input' | 'result',
  key: Key,
  raw: string,
): void {
  const { sink } = reading.options;
  const tool = reading.state.tools.find((open) => open.key === key);
  sink.set(key, block, raw);
  if (!tool || block === 'input') return;
  tool.hasResult = true;
  if (tool.anonymous) finish(reading, tool);
}

function toolTag(reading: Reading, tag: Tag): TagAct {
  switch (tag.kind) {
    case 'tool-start':
      openTool(reading, tag.label, false);
      return 'acted';
    case 'tool-end': {
      const tool = findEnding(reading.state.tools, tag.label);
      if (tool) finish(reading, tool);
      return 'acted';
    }
    case 'input-start':
      return openBlock(reading, 'input');
    case 'result-start':
      return openBlock(reading, 'result');
    default:
      return 'acted';
  }
}

function openBlock(reading: Reading, block: 'input' | 'result'): TagAct {
  const tool = findLacking(reading.state.tools, block) ?? openTool(reading, '', true);
  if (block === 'input') tool.hasInput = true;
  reading.state.zone = { block, tool: tool.key };
  const label = joinLabel(tool.name, tool.toolId);
  return { zone: { end: `${block}-end`, stop: { kind: 'tool-end', label } } };
}

function openTool(reading: Reading, label: string, anonymous: boolean): OpenTool {
  const { name, toolId } = splitLabel(label);
  const key = reading.open({
    kind: 'tool',
    name,
    toolId,
    state: 'running',
    input: null,
    result: null,
  });
  const tool = createOpenTool(key, label, { inStep: reading.state.step !== null, anonymous });
  const oldest = reading.state.tools[MAX_OPEN_TOOLS - 1];
  if (oldest) reading.abandonTools((open) => open === oldest);
  reading.state.tools.unshift(tool);
  return tool;
}

function finish(reading: Reading, tool: OpenTool): void {
  reading.options.sink.set(tool.key, 'state', 'done');
  reading.state.tools = reading.state.tools.filter((open) => open !== tool);
}
