import { isJsonObject, type Json } from '../json.js';
import { RunFailure } from '../run/signals.js';
import type { Work } from '../run/skill.js';
import type { ToolCall } from '../run/tool-caller.js';
import { readBranch } from '../store/messages.js';
import type { RiverDatabase } from '../tools/river-database.js';
import { askModel, type ChatMessage } from './ask-model.js';
import { MODEL_TOOLS, toolForModel } from './model-tools.js';
import type { LanguageModelOptions } from './language-model.js';

const MOST_ROUNDS = 8;

/** Lets the model answer: its words become the text, its calls run the agent's tools, until it has nothing more to call. */
export async function talkWithModel(
  options: LanguageModelOptions,
  rivers: RiverDatabase,
  work: Work,
): Promise<void> {
  const messages = readTalk(work);
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const turn = await askModel(options, { messages, tools: MODEL_TOOLS }, work.run);
    if (turn.calls.length === 0) return;
    const calls: ToolCall[] = turn.calls.map((call) => toolForModel(call, rivers, work));
    const outcomes = await work.tools.callAll(calls);
    messages.push({
      role: 'assistant',
      content: turn.text === '' ? null : turn.text,
      tool_calls: turn.calls.map((call) => ({
        id: call.id,
        type: 'function',
        function: { name: call.name, arguments: call.arguments },
      })),
    });
    turn.calls.forEach((call, index) => {
      const outcome = outcomes[index];
      const result: Json =
        outcome !== undefined && 'result' in outcome
          ? outcome.result
          : { error: outcome?.failure ?? 'failed' };
      messages.push({ role: 'tool', tool_call_id: call.id, content: JSON.stringify(result) });
    });
    work.run.writeLine('');
  }
  throw new RunFailure('The language model called tools again and again without an answer.');
}

const INSTRUCTIONS = `You are the agent of a demonstration. Answer from the tools. Quote documents word for word and put
<citation id="PASSAGE ID">[1]</citation> after each quotation, with the id of the passage. Write Markdown.`;

function readTalk({ run, step, database }: Work): ChatMessage[] {
  const own = step.args['system_prompt'];
  const hint = run.progress.hint;
  const branch = readBranch(database, run.task.session_id, run.task.user_message_id);
  return [
    {
      role: 'system',
      content: typeof own === 'string' ? `${own}\n\n${INSTRUCTIONS}` : INSTRUCTIONS,
    },
    ...branch.map((message): ChatMessage => ({
      role: message.role,
      content: withoutTags(message.content),
    })),
    ...(hint === null ? [] : [{ role: 'user' as const, content: `Mind this: ${hint}` }]),
  ];
}

/** What was said, without the protocol's tags: a model that sees them begins to write them. */
function withoutTags(content: string): string {
  return content
    .replaceAll(/<<TOOL_STEP_START\/[^>]*>>[\s\S]*?<<TOOL_STEP_END\/[^>]*>>/gu, '')
    .replaceAll(/<<thinking>>[\s\S]*?<<\/thinking>>/gu, '')
    .replaceAll(/<<\/?[A-Z_]+>>/gu, '')
    .trim();
}

/** The arguments of a call as an object; a model may write anything. */
export function readArguments(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text === '' ? '{}' : text);
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
}
