/** A stored question, as a Data Agent sends it. */
export const QUESTION = {
  id: 'U1',
  origin: 'user',
  index: 1,
  content: '{"text":"Where?"}',
  ext: '',
};
/** The stored answer to {@link QUESTION}. */
export const ANSWER = {
  id: 'A1',
  origin: 'assistant',
  reply_id: 'U1',
  index: 2,
  // The spelling of the service.
  status: 'succeded',
  content_type: 'prompt',
  content: JSON.stringify({ final_answer: { answer: { text: 'In hall 3.' } } }),
  ext: JSON.stringify({
    agent_run_id: 'R1',
    total_time: 2,
    total_tokens: 9,
    related_queries: ['Who?'],
  }),
  create_time: 1_767_225_600_000,
};
