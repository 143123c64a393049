/** What ran, first to last. */
export const ran: { readonly tool: string; readonly input: unknown }[] = [];

/** A handler that notes its input and does nothing. */
export const done =
  (tool: string, answer: unknown = { ok: true }) =>
  async (input: unknown): Promise<unknown> => {
    ran.push({ tool, input });
    return answer;
  };
