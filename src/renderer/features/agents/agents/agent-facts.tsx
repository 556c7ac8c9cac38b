import { IconAlertTriangle, IconBan } from '@tabler/icons-react'
import { Link } from 'wouter'
import type { AgentModule } from '../../../../shared/contracts/desk-agents-common.ts'
import type { AgentBudget } from '../../../../shared/contracts/desk-agents-cost.ts'
import type { AgentPage } from '../../../../shared/contracts/desk-agents.ts'
import { Notice } from '../../../components/feedback/notice.tsx'
import { Badge, Status } from '../../../components/feedback/status.tsx'
import { CopyIcon } from '../../../components/form/copy-button.tsx'
import { Section } from '../../../components/section.tsx'
import { pathWith } from '../../../lib/app/page-address.ts'
import { formatBytes, shortDigest } from '../../../lib/format.ts'
import { AgentStateBadge, KnownFacts, Quiet, Utc, WebLink } from '../components/values.tsx'
import { thresholdNote } from '../cost/budget-facts.ts'
import { BudgetTrack } from '../cost/budget-section.tsx'
import { formatCents } from '../cost/money.ts'
import { names, texts } from '../agents.texts.ts'
import classes from './agent-page.module.css'

export type Agent = NonNullable<AgentPage['agent']>

/** The sections of an agent; each also says if nothing is known. */
export function AgentFacts({ agent }: { agent: Agent }) {
  const { supervisors, module, budget, trust, deployments, name } = agent
  const labels = texts.agent.deployments
  return (
    <>
      <Section title={names.agent} note={texts.agent.inUtc}>
        <KnownFacts
          facts={{
            [names.state]: <AgentStateBadge state={agent.state} status={agent.status} />,
            [supervisors.length > 1 ? names.supervisors : names.supervisor]:
              supervisors.length === 0
                ? texts.none
                : supervisors.map((one, index) => (
                    <span key={one.name}>
                      {index > 0 && ', '}
                      <Link href={pathWith('/agents/supervisors', { q: one.name })}>{one.name}</Link>
                    </span>
                  )),
            [names.template]: agent.template,
            [names.process]: agent.pid ?? texts.none,
            [names.lastActivity]: <Utc at={agent.lastActivityAt} />,
            [names.updated]: <Utc at={agent.updatedAt} />,
            [names.created]: <Utc at={agent.createdAt} />,
          }}
        />
      </Section>
      <Section title={names.module}>
        {module === null ? <p>{texts.agent.module.unknown}</p> : <ModuleFacts module={module} />}
      </Section>
      <Section
        title={texts.agent.budget.title}
        note={budget && <Link href={pathWith('/agents/cost', { agent: name })}>{texts.cost.title}</Link>}
      >
        {budget === null ? <p>{texts.agent.budget.none}</p> : <BudgetFacts budget={budget} />}
      </Section>
      <Section
        title={texts.trust.title}
        note={trust && <Link href={pathWith('/agents/trust', { q: trust.agent })}>{texts.trust.title}</Link>}
      >
        {trust === null ? (
          <p>{texts.agent.noTrust}</p>
        ) : (
          <KnownFacts
            facts={{
              [names.tier]: trust.tier,
              [names.score]: trust.score,
              [names.rating]: trust.rating,
              [names.verified]: <Utc at={trust.verifiedAt} />,
              [names.status]: trust.status,
              [names.auid]: trust.auid && <code>{trust.auid}</code>,
            }}
          />
        )}
      </Section>
      <Section title={deployments.length > 1 ? labels.many : labels.one}>
        {deployments.length === 0 && <p>{labels.none}</p>}
        {deployments.map(({ worker, region, status, url, deployedAt }) => (
          <KnownFacts
            key={`${worker} ${region}`}
            facts={{
              [names.worker]: worker,
              [names.region]: region,
              [names.status]: status,
              [names.url]: <WebLink url={url} />,
              [names.since]: <Utc at={deployedAt} />,
            }}
          />
        ))}
      </Section>
    </>
  )
}

/** The file that the agent runs, and the releases of this registry with the same digest. */
function ModuleFacts({ module }: { module: AgentModule }) {
  const { source, digest, bytes, problem, releases } = module
  const labels = texts.agent.module
  const revoked = releases.find(({ status }) => status === 'revoked')
  return (
    <>
      {revoked !== undefined && (
        <div className={classes['notice']}>
          <Notice tone="bad" icon={IconBan} title={labels.revoked(`${revoked.name} ${revoked.version}`)}>
            <p>
              {revoked.reason === null ? labels.noReason : labels.reason(revoked.reason)} {labels.sameDigest}
            </p>
          </Notice>
        </div>
      )}
      <KnownFacts
        facts={{
          [names.source]: <code>{source}</code>,
          [names.digest]:
            digest === null ? (
              labels.digestUnknown(problem === null ? '' : labels.problems[problem])
            ) : (
              <>
                <code title={digest}>sha256:{shortDigest(digest)}</code>{' '}
                <CopyIcon text={digest} what={labels.theDigest} />
              </>
            ),
          [names.size]: bytes === null ? null : formatBytes(bytes),
          [releases.length > 1 ? names.releases : names.release]:
            digest === null ? labels.releaseUnknown : <Releases releases={releases} />,
        }}
      />
    </>
  )
}

function Releases({ releases }: Pick<AgentModule, 'releases'>) {
  if (releases.length === 0) return <Badge tone="calm" text={texts.agent.module.noRelease} />
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

/** The agent's budget, its spend, and the forecast. */
function BudgetFacts({ budget }: { budget: AgentBudget }) {
  const { usedPercent, alertAt, expectedCents, mark } = budget
  const reached = thresholdNote(budget)
  const labels = texts.agent.budget
  return (
    <>
      <p className={classes['amount']}>
        <b>{formatCents(budget.spentCents)}</b> {labels.of(formatCents(budget.budgetCents), budget.period)}
        {usedPercent !== null && `, ${Math.round(usedPercent)}%`}
        <span>
          {reached === null ? (
            <Quiet>{mark === 'below' ? labels.belowThreshold : texts.unknown}</Quiet>
          ) : (
            <Badge tone={mark === 'over' ? 'bad' : 'warn'} icon={IconAlertTriangle} text={reached} />
          )}
        </span>
      </p>
      {usedPercent !== null && <BudgetTrack budget={budget} />}
      <KnownFacts
        facts={{
          [names.threshold]: alertAt === null ? null : `${alertAt}%`,
          [names.action]: budget.action,
          [names.period]: (
            <>
              <Utc at={budget.startsAt} /> {labels.to} <Utc at={budget.endsAt} />
            </>
          ),
          [names.forecast]: expectedCents === null ? null : labels.forecastAmount(formatCents(expectedCents)),
        }}
      />
    </>
  )
}
