import { IconAlertTriangle, IconBan, IconHelpCircle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { AgentModule, ModuleRelease } from '../../../../shared/contracts/desk-agents-common.ts'
import type { AgentBudget } from '../../../../shared/contracts/desk-agents-cost.ts'
import type { AgentPage } from '../../../../shared/contracts/desk-agents.ts'
import type { AgentTrust, EdgeDeployment } from '../../../../shared/contracts/desk-agents-tables.ts'
import { Facts } from '../../../components/facts.tsx'
import { Notice } from '../../../components/feedback/notice.tsx'
import { Status } from '../../../components/feedback/status.tsx'
import { CopyIcon } from '../../../components/form/copy-button.tsx'
import { Section } from '../../../components/section.tsx'
import { formatBytes, shortDigest } from '../../../lib/format.ts'
import { AgentStateSign, Quiet, Sign, Utc, WebLink } from '../components/signs.tsx'
import { markWords } from '../cost/budget-bar.ts'
import { BudgetTrack } from '../cost/budget-track.tsx'
import { formatCents } from '../cost/money.ts'
import { pathWith } from '../../../lib/app/address.ts'
import classes from './agent-page.module.css'

/** Names and values; null is unknown. */
function KnownFacts({ facts }: { facts: Record<string, ReactNode> }) {
  return (
    <Facts facts={Object.entries(facts).map(([label, value]) => ({ label, value: value ?? 'unknown' }))} />
  )
}

const several = (word: string, all: readonly unknown[]): string => (all.length > 1 ? `${word}s` : word)

/** What its own table holds, and who supervises it. */
export function AgentFacts({ agent }: { agent: NonNullable<AgentPage['agent']> }) {
  const { supervisors } = agent
  return (
    <Section title="Agent" note="times in UTC">
      <KnownFacts
        facts={{
          State: <AgentStateSign state={agent.state} status={agent.status} />,
          [several('Supervisor', supervisors)]:
            supervisors.length === 0
              ? 'none'
              : supervisors.map(({ name }, index) => (
                  <span key={name}>
                    {index > 0 && ', '}
                    <Link href={pathWith('/agents/supervisors', { q: name })}>{name}</Link>
                  </span>
                )),
          Template: agent.template,
          Process: agent.pid ?? 'none',
          'Last activity': <Utc at={agent.lastActivityAt} />,
          Updated: <Utc at={agent.updatedAt} />,
          Created: <Utc at={agent.createdAt} />,
        }}
      />
    </Section>
  )
}

const problems = {
  waiting: 'The file has not been read yet.',
  missing: 'There is no such file.',
  'too large': 'The file has over 16 MiB; it is not read.',
  unreadable: 'This is no file, or one that may not be read.',
}

/** The file that it runs, and which releases of this registry have the same digest. */
export function AgentModuleFacts({ module }: { module: AgentModule | null }) {
  if (module === null) {
    return (
      <Section title="Module">
        <p>unknown: the database names no source.</p>
      </Section>
    )
  }
  const { source, digest, bytes, problem, releases } = module
  const revoked = releases.find(({ status }) => status === 'revoked')
  return (
    <Section title="Module">
      {revoked !== undefined && (
        <div className={classes['notice']}>
          <Notice tone="bad" icon={IconBan} title={`${revoked.name} ${revoked.version} was revoked`}>
            <p>
              {revoked.reason === null ? 'No reason is known.' : `“${revoked.reason}”`} The agent’s file has
              the same digest.
            </p>
          </Notice>
        </div>
      )}
      <KnownFacts
        facts={{
          Source: <code>{source}</code>,
          Digest:
            digest === null ? (
              `unknown. ${problem === null ? '' : problems[problem]}`
            ) : (
              <>
                <code title={digest}>sha256:{shortDigest(digest)}</code>{' '}
                <CopyIcon text={digest} what="the digest" />
              </>
            ),
          Size: bytes === null ? null : formatBytes(bytes),
          [several('Release', releases)]:
            digest === null ? (
              'unknown without its digest'
            ) : releases.length === 0 ? (
              <Sign icon={IconHelpCircle} tone="calm">
                none of this registry has this digest
              </Sign>
            ) : (
              <ul>
                {releases.map((release) => (
                  <Release key={release.id} release={release} />
                ))}
              </ul>
            ),
        }}
      />
    </Section>
  )
}

function Release({ release: { id, name, version, status, decidedAt } }: { release: ModuleRelease }) {
  return (
    <li className={classes['release']}>
      <Link href={`/review/${id}?view=all`}>
        {name} {version}
      </Link>
      <Status kind={status} />
      {decidedAt !== null && (
        <Quiet>
          <Utc at={decidedAt} />
        </Quiet>
      )}
    </li>
  )
}

/** What it may spend, what it has spent, and how that will end. */
export function AgentBudgetFacts({ budget, agent }: { budget: AgentBudget | null; agent: string }) {
  if (budget === null) {
    return (
      <Section title="Budget">
        <p>It has none.</p>
      </Section>
    )
  }
  const { spentCents, budgetCents, usedPercent, period, action, alertAt, startsAt, endsAt, mark } = budget
  const passed = markWords(budget)
  return (
    <Section title="Budget" note={<Link href={pathWith('/agents/cost', { agent })}>Cost</Link>}>
      <p className={classes['amount']}>
        <b>{formatCents(spentCents)}</b> of {formatCents(budgetCents)} a {period}
        {usedPercent !== null && `, ${Math.round(usedPercent)} %`}
        <span>
          {passed === null ? (
            <Quiet>{mark === 'below' ? 'below its mark' : 'unknown'}</Quiet>
          ) : (
            <Sign icon={IconAlertTriangle} tone={mark === 'over' ? 'bad' : 'warn'}>
              {passed}
            </Sign>
          )}
        </span>
      </p>
      {usedPercent !== null && <BudgetTrack budget={budget} />}
      <KnownFacts
        facts={{
          Mark: alertAt === null ? null : `${alertAt} %, then ${action}`,
          Period: (
            <>
              <Utc at={startsAt} /> to <Utc at={endsAt} />
            </>
          ),
          Expected:
            budget.expectedCents === null
              ? null
              : `${formatCents(budget.expectedCents)} by the end of the period`,
        }}
      />
    </Section>
  )
}

/** How far it is trusted, and since when that is known. */
export function AgentTrustFacts({ trust }: { trust: AgentTrust | null }) {
  if (trust === null) {
    return (
      <Section title="Trust">
        <p>unknown: there is no record of it.</p>
      </Section>
    )
  }
  return (
    <Section title="Trust" note={<Link href={pathWith('/agents/trust', { q: trust.agent })}>Trust</Link>}>
      <KnownFacts
        facts={{
          Tier: trust.tier,
          Score: trust.score,
          Rating: trust.rating,
          Verified: <Utc at={trust.verifiedAt} />,
          Status: trust.status,
          AUID: trust.auid && <code>{trust.auid}</code>,
        }}
      />
    </Section>
  )
}

/** Where it has been deployed. */
export function AgentDeployments({ deployments }: { deployments: readonly EdgeDeployment[] }) {
  return (
    <Section title={several('Deployment', deployments)}>
      {deployments.length === 0 && <p>It is not deployed.</p>}
      {deployments.map(({ worker, region, status, url, deployedAt }) => (
        <KnownFacts
          key={`${worker} ${region}`}
          facts={{
            Worker: worker,
            Region: region,
            Status: status,
            Address: <WebLink url={url} />,
            Since: <Utc at={deployedAt} />,
          }}
        />
      ))}
    </Section>
  )
}
