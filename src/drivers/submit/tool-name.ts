/** Alone in its file: whoever asks for it does not load the protocol. */
export const submitTool = 'submit_result';
