import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { DeskPerson } from '../../../../shared/contracts/desk-common.ts'
import type { PersonDetail } from '../../../../shared/contracts/desk-people.ts'
import { ActionButton } from '../../../components/form/action-button.tsx'
import { AccessTable } from '../../../components/form/access-table.tsx'
import { Skeleton } from '../../../components/feedback/skeleton.tsx'
import { Failure } from '../../../components/feedback/failure.tsx'
import { NewToken } from '../../../components/form/new-token.tsx'
import { Section } from '../../../components/section.tsx'
import { asApiError } from '../../../lib/server/api-error.ts'
import { useNow } from '../../../lib/time/use-now.ts'
import { personQuery, useEndPersonAccess, useIssuePersonToken } from '../people.api.ts'
import { PersonDecisions } from './person-decisions.tsx'
import { PersonHead } from './person-head.tsx'
import { texts } from '../people.texts.ts'

/** One person: role, sign-in link, tokens, sessions and passkeys, and recent decisions. */
export function PersonPane({ id, me }: { id: number; me: DeskPerson }) {
  const person = useQuery(personQuery(id))
  if (person.data === undefined) {
    if (person.error === null) return <Skeleton rows={7} height={40} what={texts.person.loading} />
    const missing = asApiError(person.error).code === 'NOT_FOUND'
    return (
      <Failure
        error={person.error}
        what={missing ? texts.person.notFound : texts.person.loadFailed}
        retry={() => void person.refetch()}
      />
    )
  }
  return (
    <>
      <PersonHead person={person.data.person} me={me} />
      <PersonAccess detail={person.data} />
      <PersonDecisions decisions={person.data.decisions} />
    </>
  )
}

function PersonAccess({ detail }: { detail: PersonDetail }) {
  const { person, access } = detail
  const issue = useIssuePersonToken(person.id)
  const end = useEndPersonAccess(person.id)
  const [creating, setCreating] = useState(false)
  const now = useNow()
  const active = access.filter(
    ({ endedAt, expiresAt }) => endedAt === null && (expiresAt === null || Date.parse(expiresAt) > now),
  ).length
  return (
    <Section
      title={texts.access.title(access.some(({ kind }) => kind === 'passkey'))}
      beside={texts.access.counts(active, access.length - active)}
      note={
        person.removedAt === null && (
          <ActionButton
            size="sm"
            icon={IconPlus}
            onClick={() => {
              issue.reset()
              setCreating(true)
            }}
          >
            {texts.access.newToken}
          </ActionButton>
        )
      }
    >
      <NewToken issue={issue} role={person.role} isOpen={creating} onClose={() => setCreating(false)} />
      <AccessTable
        entries={access}
        fresh={issue.data?.access.id ?? null}
        error={end.error}
        onEnd={(entry) => end.mutate(entry)}
      />
    </Section>
  )
}
