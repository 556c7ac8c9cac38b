import { deskThreadRoutes } from '../../../../shared/contracts/thread.ts'
import type { MessageAbout } from '../../../../shared/contracts/thread.ts'
import { Badge } from '../../../components/feedback/status.tsx'
import { Failure } from '../../../components/feedback/failure.tsx'
import { TextButton } from '../../../components/form/text-button.tsx'
import { Section } from '../../../components/section.tsx'
import { openMessage, useMessageDraft } from '../../../components/thread/message-draft.ts'
import { MessageForm } from '../../../components/thread/message-form.tsx'
import { Messages } from '../../../components/thread/messages.tsx'
import { texts as threadTexts } from '../../../components/thread/thread.texts.ts'
import { call } from '../../../lib/server/client.ts'
import { useChange } from '../../../lib/server/use-change.ts'
import { useStore } from '../../../lib/state/store.ts'
import { useViewState } from '../../../lib/state/use-view-state.ts'
import { showInModule } from '../module/show-in-module.ts'
import type { ReviewRelease } from '../review.api.ts'
import { reveal } from './sections.ts'
import { texts } from '../review.texts.ts'

/** Whether the signed-in reviewer may ask the publisher: a release under review that is not their own. */
export const canAsk = ({ status, held, selfApproval }: ReviewRelease): boolean =>
  status === 'pending' && held === null && selfApproval === null

/** Whether there is a conversation to show: it appears with the first message, or when one is being written. */
export function useHasConversation(release: ReviewRelease): boolean {
  const [draft] = useMessageDraft(release.id)
  const isRequested = useStore(openMessage) === release.id && canAsk(release)
  const [isOpen, setOpen] = useViewState(String(release.id), false)
  if (isRequested && !isOpen) setOpen(true)
  return release.thread.messages.length > 0 || isOpen || draft.text !== '' || draft.about !== null
}

/** The questions of the reviewers and the publisher's answers. */
export function Conversation({ release }: { release: ReviewRelease }) {
  const params = { name: release.name, version: release.version }
  const [draft] = useMessageDraft(release.id)
  const removeLabel = useChange<void, unknown>(['releases'], () =>
    call(deskThreadRoutes.withdrawChangeRequest, { params }),
  )
  const { messages, changesRequested } = release.thread
  const mayAsk = canAsk(release)
  return (
    <Section
      id="conversation"
      title={threadTexts.title}
      note={
        changesRequested && (
          <>
            <Badge tone="warn" text={threadTexts.changesRequested} />
            <TextButton disabled={removeLabel.isPending} onClick={() => removeLabel.mutate()}>
              {texts.conversation.removeLabel}
            </TextButton>
          </>
        )
      }
    >
      {removeLabel.error !== null && (
        <Failure error={removeLabel.error} what={texts.conversation.removeFailed} />
      )}
      <Messages messages={messages} showAbout={(about) => showAbout(release, about)} />
      {(mayAsk || draft.text !== '') && (
        <MessageForm
          releaseId={release.id}
          label={texts.conversation.label(release.owner.publisher)}
          send={texts.conversation.send}
          mayRequestChanges
          isClosed={release.status !== 'pending'}
          queryKey={['releases']}
          onSend={(body) => call(deskThreadRoutes.askPublisher, { params, body })}
          reveal={reveal}
        />
      )}
    </Section>
  )
}

function showAbout({ id, checks }: ReviewRelease, about: MessageAbout): (() => void) | null {
  if (about.kind === 'function') return () => showInModule({ releaseId: id, index: about.index })
  const { fingerprint } = about
  // A later check may no longer report it.
  if (checks?.findings.some((finding) => finding.fingerprint === fingerprint) !== true) return null
  return () => {
    const item = document.querySelector<HTMLElement>(`[data-finding="${fingerprint}"]`)
    if (item === null) return
    reveal(item)
    item.focus({ preventScroll: true })
  }
}
