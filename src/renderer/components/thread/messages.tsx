import { TextButton } from '../form/text-button.tsx'
import type { Message, MessageAbout } from '../../../shared/contracts/thread.ts'
import { When } from '../list/when.tsx'
import { PlainText } from '../text/plain-text.tsx'
import { texts } from './thread.texts.ts'
import classes from './thread.module.css'

interface Props {
  messages: readonly Message[]
  /** Shows what a message refers to; null if that can't be shown here. */
  showAbout: (about: MessageAbout) => (() => void) | null
}

/** The messages about a release, oldest first. Screen readers announce new ones when they are idle. */
export function Messages({ messages, showAbout }: Props) {
  return (
    <div role="log" aria-label={texts.title}>
      <ul>
        {messages.map(({ id, kind, by, at, text, about, requestsChanges }) => (
          <li key={id} className={classes['message']} data-kind={kind}>
            <p className={classes['head']} data-text="hint">
              <b>{by}</b>{' '}
              {requestsChanges ? texts.requestedChanges : kind === 'question' ? texts.asked : texts.answered}{' '}
              <When at={at} />
              {about !== null && (
                <>
                  {' '}
                  {texts.about} <About about={about} show={showAbout(about)} />
                </>
              )}
            </p>
            <p className={classes['text']}>
              <PlainText text={text} />
            </p>
          </li>
        ))}
      </ul>
    </div>
  )
}

function About({ about, show }: { about: MessageAbout; show: (() => void) | null }) {
  const label = about.kind === 'finding' ? about.title : texts.function(about.index, about.name)
  if (show === null) return <PlainText text={label} />
  return (
    <TextButton inline onClick={show}>
      <PlainText text={label} />
    </TextButton>
  )
}
