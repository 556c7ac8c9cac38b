/**
 * Reads server-sent events until the stream ends; rejects when the connection breaks. `EventSource` cannot send the
 * session key.
 */
export async function readServerEvents(
  { body }: Response,
  onEvent: (name: string, data: string) => void,
): Promise<void> {
  if (body === null) return
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    const blocks = (text + value).split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      const [, name, data] = /^event: (.+)\ndata: (.+)$/.exec(block) ?? []
      if (name !== undefined && data !== undefined) onEvent(name, data)
    }
  }
}
