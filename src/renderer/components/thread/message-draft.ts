import type { NewMessageAbout } from '../../../shared/contracts/thread.ts'
import { createStore } from '../../lib/state/store.ts'
import { createTextDrafts } from '../../lib/state/text-drafts.ts'

/** An unsent message about a release. It stays in this tab until it is sent or discarded, even after a reload. */
export interface MessageDraft {
  text: string
  about: DraftAbout | null
  requestsChanges: boolean
}

/** What a draft refers to, with what the form calls it. */
type DraftAbout = NewMessageAbout & { label: string }

const drafts = createTextDrafts('skilldock-message-')
const empty: MessageDraft = { text: '', about: null, requestsChanges: false }

function parse(stored: string): MessageDraft {
  try {
    return stored === '' ? empty : (JSON.parse(stored) as MessageDraft)
  } catch {
    return empty
  }
}

const write = (releaseId: number, draft: MessageDraft): void => {
  const isEmpty = draft.text === '' && draft.about === null && !draft.requestsChanges
  drafts.write(String(releaseId), isEmpty ? '' : JSON.stringify(draft))
}

/** The draft of a message about a release; null discards it. */
export function useMessageDraft(
  releaseId: number,
): [draft: MessageDraft, change: (next: Partial<MessageDraft> | null) => void] {
  const draft = parse(drafts.use()(String(releaseId)))
  return [draft, (next) => write(releaseId, next === null ? empty : { ...draft, ...next })]
}

/** Discards a message that was sent, unless it was changed while it was being sent. */
export function forgetSent(releaseId: number, sent: MessageDraft): void {
  if (JSON.stringify(parse(drafts.read(String(releaseId)))) === JSON.stringify(sent)) write(releaseId, empty)
}

/** The release whose form is to be opened and focused. The form resets it. */
export const openMessage = createStore<number | null>(null)

/** Opens the form for a message, optionally about a finding or function. Keeps a text that has been written before. */
export function beginMessage(releaseId: number, about: DraftAbout | null = null): void {
  if (about !== null) write(releaseId, { ...parse(drafts.read(String(releaseId))), about })
  openMessage.set(releaseId)
}
