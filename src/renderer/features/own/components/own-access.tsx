import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { DeskPerson } from '../../../../shared/contracts/desk-common.ts'
import { AccessTable } from '../../../components/form/access-table.tsx'
import { Skeleton } from '../../../components/feedback/skeleton.tsx'
import { Failure } from '../../../components/feedback/failure.tsx'
import { NewToken } from '../../../components/form/new-token.tsx'
import { ShownOnce } from '../../../components/form/shown-once.tsx'
import { ownAccessQuery, useEndOwnAccess, useIssueOwnToken } from '../own.api.ts'
import { texts } from '../own.texts.ts'
import classes from './panel.module.css'

/** The tokens and sessions of the signed-in person. */
export function OwnAccess({ me }: { me: DeskPerson }) {
  const access = useQuery(ownAccessQuery)
  const issue = useIssueOwnToken()
  const end = useEndOwnAccess()
  const [making, setMaking] = useState(false)
  return (
    <section className={classes['panel']} aria-label={texts.access.title}>
      <header>
        <h2>{texts.access.title}</h2>
        <Button
          size="sm"
          leftSection={<IconPlus size={14} stroke={1.75} />}
          onClick={() => {
            issue.reset()
            setMaking(true)
          }}
        >
          {texts.access.new}
        </Button>
      </header>
      {issue.data !== undefined && (
        <ShownOnce
          kind="token"
          title={texts.access.created(issue.data.access.label)}
          text={issue.data.token}
          onDone={() => issue.reset()}
        />
      )}
      {making && (
        <NewToken
          offersAdmin={me.role !== 'developer'}
          sending={issue.isPending}
          error={issue.error}
          onCreate={(request) => issue.mutate(request, { onSuccess: () => setMaking(false) })}
          onCancel={() => setMaking(false)}
        />
      )}
      {access.error !== null && (
        <Failure error={access.error} what={texts.access.loadFailed} retry={() => void access.refetch()} />
      )}
      {access.isPending && access.error === null && (
        <Skeleton rows={3} height={40} what={texts.access.what} />
      )}
      {access.data !== undefined && (
        <AccessTable
          entries={access.data.items}
          fresh={issue.data?.access.id ?? null}
          error={end.error}
          onEnd={(entry) => end.mutate(entry)}
        />
      )}
    </section>
  )
}
