import type { JsonObject } from '../agent/json.js';
import type { ErrorLanguage } from './errors.js';
import { SKILLS } from './skills.js';

/** Id of the only agent. */
export const AGENT_ID = '01JRIVERANALYST00000000000';

/** Key of the only agent; the API accepts the id as well. */
export const AGENT_KEY = 'river-analyst';

/** Models by name; the second one is the reasoning model. */
export const MODELS: readonly { readonly name: string; readonly type: 'llm' | 'rlm' }[] = [
  { name: 'rules', type: 'llm' },
  { name: 'rules-thinking', type: 'rlm' },
];

/** Describes the agent: greeting, preset questions, inputs, models, skills. */
export function describeAgent(version: string, language: ErrorLanguage): JsonObject {
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
          ? '你好！我可以查询**河流数据库**，也可以查找文档。'
          : 'Hello! I query the **river database** and search documents.',
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
      llms: MODELS.map(({ name, type }) => ({
        is_default: type === 'llm',
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
