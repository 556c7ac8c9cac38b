import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { OwnRelease } from '../../../../shared/contracts/desk-own.ts'
import type { MessageAbout } from '../../../../shared/contracts/thread.ts'
import { deskThreadRoutes } from '../../../../shared/contracts/thread.ts'
import { Loading } from '../../../components/feedback/loading.tsx'
import { useMessageDraft } from '../../../components/thread/message-draft.ts'
import { MessageForm } from '../../../components/thread/message-form.tsx'
import { Messages } from '../../../components/thread/messages.tsx'
import { call } from '../../../lib/server/client.ts'
import { ownThreadQuery } from '../own.api.ts'
import { texts } from '../own.texts.ts'
import classes from './own-findings.module.css'

/** The conversation with the reviewers of a release. It is loaded when it is open, as it is under review. */
export function OwnThread({ release }: { release: OwnRelease }) {
  const { id, status, thread } = release
  const [isOpen, setOpen] = useState(status === 'pending')
  if (thread === null) return null
  return (
    <details
      className={classes['findings']}
      open={isOpen}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>{texts.thread.summary(thread.messages)}</summary>
      {isOpen && <OpenThread key={id} release={release} />}
    </details>
  )
}

function OpenThread({ release }: { release: OwnRelease }) {
  const { id, name, version, status, findings } = release
  const thread = useQuery(ownThreadQuery(release))
  const [draft] = useMessageDraft(id)
  if (thread.data === undefined) {
    const { what, loadFailed } = texts.thread
    return <Loading query={thread} rows={2} height={40} what={what} failed={loadFailed} />
  }
  const showAbout = (about: MessageAbout): (() => void) | null => {
    const isListed =
      about.kind === 'finding' && findings.some(({ fingerprint }) => fingerprint === about.fingerprint)
    return isListed ? () => showFinding(id, about.fingerprint) : null
  }
  return (
    <>
      <Messages messages={thread.data.messages} showAbout={showAbout} />
      {(status === 'pending' || draft.text !== '') && (
        <MessageForm
          releaseId={id}
          label={texts.thread.label}
          send={texts.thread.send}
          mayRequestChanges={false}
          isClosed={status !== 'pending'}
          queryKey={['own']}
          onSend={({ text, about }) =>
            call(deskThreadRoutes.answerReview, { params: { name, version }, body: { text, about } })
          }
          reveal={(form) => form.scrollIntoView({ block: 'nearest' })}
        />
      )}
    </>
  )
}

/** Opens the list of findings and focuses this one. */
function showFinding(releaseId: number, fingerprint: string): void {
  const item = document.querySelector<HTMLElement>(
    `[data-release="${releaseId}"] [data-finding="${fingerprint}"]`,
  )
  const list = item?.closest('details')
  if (list !== null && list !== undefined) list.open = true
  item?.focus()
}
