/** English strings of the context and the options of a message, loaded with their controls. `option_…` is the label of an option by its name. */
export const optionStrings = {
  contextShown: 'Context: {title}',
  contextRemove: 'Remove context: {title}',
  contextRemoved: 'Context removed',
  messageOptions: 'Message options',
  option_deepThinking: 'Deep thinking',
  option_model: 'Model',
  optionDefault: 'Default',
  inputs: 'Conversation details',
};
