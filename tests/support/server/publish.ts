import type { SkillManifest } from '../../../src/shared/contracts/manifest.ts'

/** A valid manifest with the changes of a test. */
export function manifest(change: Partial<SkillManifest> = {}): SkillManifest {
  return {
    schemaVersion: 1,
    name: 'upper-case',
    version: '1.0.0',
    description: 'Turns every letter into its capital.',
    readme: '# upper-case\n\nReads text and writes it in capitals.',
    inputs: 'Text in UTF-8 on standard input.',
    outputs: 'The same text in capitals.',
    examples: [{ input: 'abc', output: 'ABC' }],
    license: 'MIT',
    category: 'Transformers',
    runtime: 'wasip1-command',
    entrypoint: '_start',
    pricing: 'free',
    ...change,
  }
}

export interface Reply<T = unknown> {
  status: number
  headers: Headers
  body: T
}

/** Sends POST /api/marketplace/publish like the publish client. */
export async function publish(
  registry: string,
  token: string,
  sent: unknown,
  wasm: Uint8Array,
): Promise<Reply<{ id: number; code?: string; error?: string }>> {
  const form = new FormData()
  form.set('manifest', typeof sent === 'string' ? sent : JSON.stringify(sent))
  form.set('wasm', new File([Uint8Array.from(wasm)], 'skill.wasm', { type: 'application/wasm' }))
  const response = await fetch(`${registry}/api/marketplace/publish`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: form,
  })
  return { status: response.status, headers: response.headers, body: (await response.json()) as never }
}

/** Sends a JSON request; `token` is sent as a bearer token. */
export async function call<T = unknown>(
  url: string,
  options: { token?: string; method?: string; body?: unknown } = {},
): Promise<Reply<T>> {
  const response = await fetch(url, {
    method: options.method ?? 'GET',
    headers: {
      ...(options.token === undefined ? {} : { authorization: `Bearer ${options.token}` }),
      ...(options.body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
  })
  return { status: response.status, headers: response.headers, body: (await response.json()) as T }
}

/** Sends a decision with POST /api/marketplace/review/{id}. */
export function review(
  registry: string,
  token: string,
  id: number,
  action: string,
  reason = 'I read all of it.',
): Promise<Reply<{ success?: boolean; code?: string }>> {
  return call(`${registry}/api/marketplace/review/${id}`, { token, method: 'POST', body: { action, reason } })
}
