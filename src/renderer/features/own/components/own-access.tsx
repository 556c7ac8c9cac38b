import { IconCircleCheckFilled, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { DeskPerson } from '../../../../shared/contracts/desk-common.ts'
import { ActionButton } from '../../../components/form/action-button.tsx'
import { AccessTable } from '../../../components/form/access-table.tsx'
import { Loading } from '../../../components/feedback/loading.tsx'
import { Notice } from '../../../components/feedback/notice.tsx'
import { NewAccess } from '../../../components/form/new-access.tsx'
import { NewToken } from '../../../components/form/new-token.tsx'
import { Section } from '../../../components/section.tsx'
import { canUsePasskeys } from '../../../lib/app/passkeys.ts'
import { deskStateQuery } from '../../session/session.api.ts'
import { ownAccessQuery, useAddPasskey, useEndOwnAccess, useIssueOwnToken } from '../own.api.ts'
import { texts } from '../own.texts.ts'
import classes from './panel.module.css'

/** The tokens, sessions and passkeys of the signed-in person. */
export function OwnAccess({ me }: { me: DeskPerson }) {
  const access = useQuery(ownAccessQuery)
  const issue = useIssueOwnToken()
  const end = useEndOwnAccess()
  const addition = useAddPasskey()
  const [making, setMaking] = useState<'token' | 'passkey' | null>(null)
  const mayAdd = useQuery(deskStateQuery).data?.passkeys === true && canUsePasskeys()
  const title = texts.access.title(
    mayAdd || access.data?.items.some(({ kind }) => kind === 'passkey') === true,
  )
  return (
    <Section
      title={title}
      note={
        <>
          {mayAdd && (
            <ActionButton
              size="sm"
              icon={IconPlus}
              onClick={() => {
                addition.reset()
                setMaking('passkey')
              }}
            >
              {texts.access.newPasskey}
            </ActionButton>
          )}
          <ActionButton
            size="sm"
            icon={IconPlus}
            onClick={() => {
              issue.reset()
              setMaking('token')
            }}
          >
            {texts.access.new}
          </ActionButton>
        </>
      }
    >
      {addition.data !== undefined && (
        <div className={classes['done']}>
          <Notice
            tone="note"
            icon={IconCircleCheckFilled}
            title={texts.access.passkeyAdded(addition.data.label)}
            role="status"
          />
        </div>
      )}
      {making === 'passkey' && (
        <NewAccess
          texts={texts.passkey}
          change={addition}
          onCreate={(label) => addition.mutate(label, { onSuccess: () => setMaking(null) })}
          onCancel={() => setMaking(null)}
        />
      )}
      <NewToken issue={issue} role={me.role} isOpen={making === 'token'} onClose={() => setMaking(null)} />
      <Loading
        query={access}
        rows={3}
        height={40}
        what={texts.access.what}
        failed={texts.access.loadFailed}
      />
      {access.data !== undefined && (
        <AccessTable
          entries={access.data.items}
          fresh={issue.data?.access.id ?? null}
          error={end.error}
          onEnd={(entry) => end.mutate(entry)}
        />
      )}
    </Section>
  )
}
