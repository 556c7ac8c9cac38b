import { IconAlertTriangle, IconBan } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { AgentModule } from '../../../../shared/contracts/desk-agents-common.ts'
import type { AgentBudget } from '../../../../shared/contracts/desk-agents-cost.ts'
import type { AgentPage } from '../../../../shared/contracts/desk-agents.ts'
import { Facts } from '../../../components/facts.tsx'
import { Notice } from '../../../components/feedback/notice.tsx'
import { Status } from '../../../components/feedback/status.tsx'
import { CopyIcon } from '../../../components/form/copy-button.tsx'
import { Section } from '../../../components/section.tsx'
import { pathWith } from '../../../lib/app/address.ts'
import { formatBytes, shortDigest } from '../../../lib/format.ts'
import { AgentStateSign, Quiet, Sign, Utc, WebLink } from '../components/signs.tsx'
import { thresholdNote } from '../cost/budget-bar.ts'
import { BudgetTrack } from '../cost/budget-section.tsx'
import { formatCents } from '../cost/money.ts'
import classes from './agent-page.module.css'

export type Agent = NonNullable<AgentPage['agent']>

/** Names and values; null is unknown. */
function KnownFacts({ facts }: { facts: Record<string, ReactNode> }) {
  return (
    <Facts facts={Object.entries(facts).map(([label, value]) => ({ label, value: value ?? 'unknown' }))} />
  )
}

const several = (word: string, all: readonly unknown[]): string => (all.length > 1 ? `${word}s` : word)

/** What is known of an agent: each section says as well where nothing is. */
export function AgentFacts({ agent }: { agent: Agent }) {
  const { supervisors, module, budget, trust, deployments, name } = agent
  return (
    <>
      <Section title="Agent" note="times in UTC">
        <KnownFacts
          facts={{
            State: <AgentStateSign state={agent.state} status={agent.status} />,
            [several('Supervisor', supervisors)]:
              supervisors.length === 0
                ? 'none'
                : supervisors.map((one, index) => (
                    <span key={one.name}>
                      {index > 0 && ', '}
                      <Link href={pathWith('/agents/supervisors', { q: one.name })}>{one.name}</Link>
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
      <Section title="Module">
        {module === null ? <p>unknown: the database names no source.</p> : <ModuleFacts module={module} />}
      </Section>
      <Section
        title="Budget"
        note={
          budget === null ? undefined : <Link href={pathWith('/agents/cost', { agent: name })}>Cost</Link>
        }
      >
        {budget === null ? <p>It has none.</p> : <BudgetFacts budget={budget} />}
      </Section>
      <Section
        title="Trust"
        note={
          trust === null ? undefined : <Link href={pathWith('/agents/trust', { q: trust.agent })}>Trust</Link>
        }
      >
        {trust === null ? (
          <p>unknown: there is no record of it.</p>
        ) : (
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
        )}
      </Section>
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
    </>
  )
}

const problems = {
  waiting: 'The file has not been read yet.',
  missing: 'There is no such file.',
  'too large': 'The file has over 16 MiB; it is not read.',
  unreadable: 'This is no file, or one that may not be read.',
}

/** The file that it runs, and which releases of this registry have the same digest. */
function ModuleFacts({ module }: { module: AgentModule }) {
  const { source, digest, bytes, problem, releases } = module
  const revoked = releases.find(({ status }) => status === 'revoked')
  return (
    <>
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
            digest === null ? 'unknown without its digest' : <Releases releases={releases} />,
        }}
      />
    </>
  )
}

function Releases({ releases }: Pick<AgentModule, 'releases'>) {
  if (releases.length === 0) return <Sign tone="calm" text="none of this registry has this digest" />
  return (
    <ul>
      {releases.map(({ id, name, version, status, decidedAt }) => (
        <li key={id} className={classes['amount']}>
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
      ))}
    </ul>
  )
}

/** What it may spend, what it has spent, and how that will end. */
function BudgetFacts({ budget }: { budget: AgentBudget }) {
  const { usedPercent, alertAt, expectedCents, mark } = budget
  const passed = thresholdNote(budget)
  return (
    <>
      <p className={classes['amount']}>
        <b>{formatCents(budget.spentCents)}</b> of {formatCents(budget.budgetCents)} a {budget.period}
        {usedPercent !== null && `, ${Math.round(usedPercent)} %`}
        <span>
          {passed === null ? (
            <Quiet>{mark === 'below' ? 'below its mark' : 'unknown'}</Quiet>
          ) : (
            <Sign tone={mark === 'over' ? 'bad' : 'warn'} icon={IconAlertTriangle} text={passed} />
          )}
        </span>
      </p>
      {usedPercent !== null && <BudgetTrack budget={budget} />}
      <KnownFacts
        facts={{
          Mark: alertAt === null ? null : `${alertAt} %, then ${budget.action}`,
          Period: (
            <>
              <Utc at={budget.startsAt} /> to <Utc at={budget.endsAt} />
            </>
          ),
          Expected: expectedCents === null ? null : `${formatCents(expectedCents)} by the end of the period`,
        }}
      />
    </>
  )
}
