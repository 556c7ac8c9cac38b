import { z } from 'zod'
import { tokenExchangeRoutes } from '../../shared/contracts/trusted-publishers.ts'
import { usageError } from '../client-error.ts'
import type { ClientConfig } from '../config.ts'
import type { Context } from '../command.ts'
import { parseLoosely } from '../parse-loosely.ts'
import { readBody, send } from '../registry/http.ts'
import { mismatch } from '../registry/http-errors.ts'
import { createRegistry } from '../registry/registry.ts'
import type { Registry } from '../registry/registry.ts'
import { texts } from './sign-in.texts.ts'
import { readToken, withToken } from './token.ts'

const maxAnswerBytes = 65_536

/**
 * In a CI job with an identity token: the same registry with a token that can only publish this name. Null elsewhere, and
 * if SKILL_TOKEN is set. Throws if the registry does not trust the job.
 */
export async function asTrustedPublisher(
  { config, terminal }: Pick<Context, 'config' | 'terminal'>,
  registry: Registry,
  name: string,
): Promise<Registry | null> {
  if (config.identity === null || config.token !== null) return null
  // Another sign-in would not help.
  const options = { ...registry.options, signIn: texts.trusted.help }
  const trusting = createRegistry(registry.address, () => Promise.resolve(null), options)
  const identityToken = await getIdentityToken(config.identity, trusting)
  const { token } = await trusting.call(tokenExchangeRoutes.exchangeToken, { body: { name, identityToken } })
  terminal.note(texts.trusted.exchanged(name))
  return withToken(trusting, token)
}

async function getIdentityToken(
  identity: NonNullable<ClientConfig['identity']>,
  { url: registryUrl, options }: Registry,
): Promise<string> {
  if ('token' in identity) return readToken(identity.token, texts.trusted.variable)
  if (!URL.canParse(identity.url)) throw usageError(texts.trusted.address)
  const url = new URL(identity.url)
  url.searchParams.set('audience', registryUrl)
  const response = await send({ method: 'GET', url, token: identity.requestToken }, options)
  const answer = await readBody(url, response, maxAnswerBytes, options)
  const token = parseLoosely(z.object({ value: z.string() }), answer.toString())?.value
  if (token !== undefined) return readToken(token)
  throw mismatch(texts.trusted.noToken(url.host), 'ANSWER_UNREADABLE')
}
