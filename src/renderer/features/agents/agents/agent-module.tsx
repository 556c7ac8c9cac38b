import { IconBan, IconHelpCircle } from '@tabler/icons-react'
import { Link } from 'wouter'
import type { AgentModule, ModuleRelease } from '../../../../shared/contracts/desk-agents-common.ts'
import { CopyIcon } from '../../../components/form/copy-button.tsx'
import { Facts } from '../../../components/facts.tsx'
import { Notice } from '../../../components/feedback/notice.tsx'
import { Section } from '../../../components/section.tsx'
import { Status } from '../../../components/feedback/status.tsx'
import { formatBytes, shortDigest } from '../../../lib/format.ts'
import classes from './agent-module.module.css'
import { Utc } from '../components/utc.tsx'

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
      <div className={classes['module']}>
        {revoked !== undefined && (
          <Notice tone="bad" icon={IconBan} title={`${revoked.name} ${revoked.version} was revoked`}>
            <p>
              {revoked.reason === null ? 'No reason is known.' : `“${revoked.reason}”`} The agent’s file has
              the same digest.
            </p>
          </Notice>
        )}
        <Facts
          facts={[
            { label: 'Source', value: <code className={classes['path']}>{source}</code> },
            {
              label: 'Digest',
              value:
                digest === null ? (
                  <>unknown. {problem === null ? '' : problems[problem]}</>
                ) : (
                  <span className={classes['digest']}>
                    <code title={digest}>sha256:{shortDigest(digest)}</code>
                    <CopyIcon text={digest} what="the digest" />
                  </span>
                ),
            },
            { label: 'Size', value: bytes === null ? 'unknown' : formatBytes(bytes) },
            {
              label: releases.length > 1 ? 'Releases' : 'Release',
              value:
                digest === null ? (
                  'unknown without its digest'
                ) : releases.length === 0 ? (
                  <span className={classes['none']}>
                    <IconHelpCircle size={14} stroke={1.75} aria-hidden /> none of this registry has this
                    digest
                  </span>
                ) : (
                  <ul className={classes['releases']}>
                    {releases.map((release) => (
                      <Release key={release.id} release={release} />
                    ))}
                  </ul>
                ),
            },
          ]}
        />
      </div>
    </Section>
  )
}

function Release({ release: { id, name, version, status, decidedAt } }: { release: ModuleRelease }) {
  return (
    <li>
      <Link href={`/review/${id}?view=all`}>
        {name} {version}
      </Link>
      <Status kind={status} />
      {decidedAt !== null && (
        <span>
          <Utc at={decidedAt} />
        </span>
      )}
    </li>
  )
}
