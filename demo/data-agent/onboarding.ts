import type { JsonObject } from '../agent/json.js';
import type { ServiceLanguage } from './errors.js';
import { SKILLS } from './skills.js';

/** Id of the only agent. */
export const AGENT_ID = '01JRIVERANALYST00000000000';

/** Key of the only agent; the API accepts the id as well. */
export const AGENT_KEY = 'river-analyst';

/** A model of the agent; `rlm` is one for deep thinking. */
export interface AgentModel {
  readonly name: string;
  readonly type: 'llm' | 'rlm';
}

/** Name of the rules that answer without a language model. */
export const RULES_MODEL = 'rules';

/** Name of the rules that write their reasoning as well. */
export const THINKING_MODEL = 'rules-thinking';

/** The models of the agent, the default first: a language model where one is set up, and the rules. */
export function listModels(languageModel: string | null): readonly AgentModel[] {
  if (languageModel === null) {
    return [
      { name: RULES_MODEL, type: 'llm' },
      { name: THINKING_MODEL, type: 'rlm' },
    ];
  }
  return [
    { name: languageModel, type: 'llm' },
    { name: RULES_MODEL, type: 'llm' },
  ];
}

/** Describes the agent: greeting, preset questions, inputs, models, skills. */
export function describeAgent(
  version: string,
  language: ServiceLanguage,
  models: readonly AgentModel[],
): JsonObject {
  const chinese = language === 'zh-CN';
  return {
    id: AGENT_ID,
    key: AGENT_KEY,
    name: chinese ? '河流分析师' : 'River analyst',
    profile: chinese ? '回答有关欧洲河流的问题' : 'Answers questions about European rivers',
    avatar_type: 1,
    avatar: '1',
    version,
    status: 'published',
    config: {
      opening_remark_config: {
        type: 'fixed',
        fixed_opening_remark: chinese
          ? '你好！我可以查询河流数据库，也可以查找文档。'
          : 'Hello! I query the river database and search documents.',
        dynamic_opening_remark_prompt: '',
      },
      preset_questions: (chinese
        ? ['最长的五条河流是哪些？', '画一个河流的饼图', '导出整张国家表']
        : [
            'Which countries does the Danube flow through?',
            'Draw a pie chart of the rivers',
            'Export the table of countries',
          ]
      ).map((question) => ({ question })),
      input: {
        fields: [
          { name: 'query', type: 'string' },
          { name: 'history', type: 'object' },
          { name: 'river', type: 'string' },
        ],
        temp_zone_config: {
          tmp_file_use_type: 'upload',
          max_file_count: 5,
          single_chat_max_select_file_count: 5,
          single_file_size_limit: 10,
          single_file_size_limit_unit: 'MB',
          allowed_file_types: ['md', 'txt', 'csv', 'pdf'],
          allowed_file_categories: ['document'],
        },
      },
      llms: models.map(({ name, type }, index) => ({
        is_default: index === 0,
        llm_config: { name, model_type: type },
      })),
      data_source: { knowledge_network: [], metric: [] },
      related_question: { is_enabled: true },
      skills: {
        tools: SKILLS.map(({ name, description }) => ({
          tool_id: name,
          tool_name: name,
          description,
          intervention: name === 'export_table',
          intervention_confirmation_message: '',
        })),
        agents: [{ agent_key: 'river_expert', intervention: false }],
      },
      mode: 'default',
      plan_mode: { is_enabled: false },
    },
  };
}
