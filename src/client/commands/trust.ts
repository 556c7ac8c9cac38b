import { jobIdentitySchema, trustedPublisherRoutes } from '../../shared/contracts/trusted-publishers.ts'
import type { JobIdentity } from '../../shared/contracts/trusted-publishers.ts'
import { jobIdentityText } from '../../shared/job-texts.ts'
import { summarize, toIssues } from '../../shared/validation.ts'
import { usageError } from '../client-error.ts'
import type { Command, Options, Result } from '../command.ts'
import type { Registry } from '../registry/registry.ts'
import { plainLine } from '../terminal/terminal.ts'
import { texts } from './commands.texts.ts'

/** Lists, adds and removes the trusted publishers of a name. */
export const trustCommand: Command = {
  name: 'trust',
  summary: 'Trust CI jobs to publish a name without a stored token',
  usage: [
    'NAME',
    'NAME --github OWNER/REPO --workflow FILE [--environment NAME]',
    'NAME --gitlab PROJECT [--branch NAME] [--environment NAME]',
    'NAME --issuer URL --subject SUBJECT [--audience TEXT] [--claims LIST]',
    'NAME --remove NUMBER',
  ],
  about: `With only NAME, lists its trusted publishers with their numbers. A job of a trusted publisher exchanges its identity
token for a token that can only publish this name for 15 minutes, in the name of the person who added it. It ends
when that person no longer owns the name.`,
  options: {
    github: { type: 'string', value: 'OWNER/REPO', help: 'trust a repository of GitHub' },
    workflow: {
      type: 'string',
      value: 'FILE',
      help: 'github: the workflow in .github/workflows, such as release.yml',
    },
    gitlab: {
      type: 'string',
      value: 'PROJECT',
      help: 'trust a project of GitLab, such as tools/csv-to-json',
    },
    branch: { type: 'string', value: 'NAME', help: 'gitlab: only jobs of this branch' },
    environment: { type: 'string', value: 'NAME', help: 'github, gitlab: only jobs with this environment' },
    issuer: {
      type: 'string',
      value: 'URL',
      help: 'trust another OpenID issuer; also the address of your own GitHub or GitLab server',
    },
    subject: { type: 'string', value: 'SUBJECT', help: 'issuer: the claim sub' },
    audience: {
      type: 'string',
      value: 'TEXT',
      help: 'issuer: the claim aud, if not the address of the registry',
    },
    claims: {
      type: 'string',
      value: 'LIST',
      help: 'issuer: further claims, such as team=text,stage=release',
    },
    remove: { type: 'string', value: 'NUMBER', help: 'remove a trusted publisher' },
  },
  notes: `To change trusted publishers, this needs a token with all of your permissions: the token of skill login can only
publish. Set SKILL_TOKEN for one command, or use the desk (My releases, Names and owners).

Everyone who can change the workflow can publish. An environment with required reviewers, or a protected branch,
limits that to fewer people. The repository, workflow and commit of a release are public.

  skill trust csv-to-json --github octo/csv-to-json --workflow release.yml --environment release
  skill trust csv-to-json
  skill trust csv-to-json --remove 3`,
  positionals: { min: 1, max: 1 },
  run(context, [name = ''], options) {
    const registry = context.registry()
    const removed = options.text('remove')
    if (removed !== undefined) return remove(registry, name, removed)
    const identity = readIdentity(options)
    return identity === null ? list(registry, name) : add(registry, name, identity)
  },
}

/** The job that the options describe; null without any. */
function readIdentity(options: Options): JobIdentity | null {
  const given = (...names: string[]): Record<string, string> =>
    Object.fromEntries(
      names.flatMap((name) => {
        const text = options.text(name)
        return text === undefined ? [] : [[name, text]]
      }),
    )
  const [repository, project] = [options.text('github'), options.text('gitlab')]
  const [provider, rest] =
    repository !== undefined
      ? (['github', { repository, ...given('workflow', 'gitlab', 'branch') }] as const)
      : project !== undefined
        ? (['gitlab', { project, ...given('workflow', 'branch') }] as const)
        : (['openid', given('workflow', 'branch')] as const)
  const claims = options.text('claims')
  const identity = {
    ...rest,
    ...given('environment', 'issuer', 'subject', 'audience'),
    ...(claims !== undefined && { claims: readClaims(claims) }),
  }
  if (Object.keys(identity).length === 0) return null
  const read = jobIdentitySchema.safeParse({ provider, ...identity }, { reportInput: true })
  if (read.success) return read.data
  throw usageError(texts.trust.invalid(summarize(toIssues(read.error))))
}

function readClaims(text: string): Record<string, string> {
  return Object.fromEntries(
    text.split(',').map((pair) => {
      const [, claim = '', value = ''] = /^([^=]+)=(.*)$/.exec(pair) ?? []
      return [claim, value]
    }),
  )
}

async function list(registry: Registry, name: string): Promise<Result> {
  const { items } = await registry.call(trustedPublisherRoutes.listPublishers, { params: { name } })
  return {
    data: { name, publishers: items },
    print(terminal) {
      if (items.length === 0) return terminal.line(texts.trust.none(name))
      const rows = items.map(({ id, identity, addedBy, addedAt }) => [
        String(id),
        plainLine(jobIdentityText(identity)),
        plainLine(addedBy.publisher),
        addedAt.slice(0, 10),
      ])
      terminal.table(texts.trust.columns, rows)
    },
  }
}

async function add(registry: Registry, name: string, identity: JobIdentity): Promise<Result> {
  const publisher = await registry.call(trustedPublisherRoutes.addPublisher, {
    params: { name },
    body: identity,
  })
  return {
    data: { publisher },
    print(terminal) {
      terminal.line(texts.trust.added(name, plainLine(jobIdentityText(publisher.identity)), publisher.id))
    },
  }
}

async function remove(registry: Registry, name: string, id: string): Promise<Result> {
  if (!/^[1-9]\d{0,14}$/.test(id)) throw usageError(texts.trust.invalid(texts.trust.number))
  await registry.call(trustedPublisherRoutes.removePublisher, { params: { name, id: Number(id) } })
  return { data: { removed: Number(id) }, print: (terminal) => terminal.line(texts.trust.removed(name, id)) }
}
