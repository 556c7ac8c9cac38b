import { Button } from '@mantine/core'
import { IconKey, IconLink } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Notice } from '../feedback/notice.tsx'
import { CopyButton } from './copy-button.tsx'
import classes from './shown-once.module.css'

const labels = { token: 'Token', link: 'Sign-in link', secret: 'Secret' } as const

interface Props {
  kind: keyof typeof labels
  title: string
  text: string
  children?: ReactNode
  onDone: () => void
}

/** A secret that the server never shows again. It is shown until the person presses Done. */
export function ShownOnce({ kind, title, text, children, onDone }: Props) {
  return (
    <div className={classes['box']}>
      <Notice tone="note" icon={kind === 'link' ? IconLink : IconKey} title={title} role="status">
        <div className={classes['line']}>
          <input
            readOnly
            value={text}
            aria-label={labels[kind]}
            spellCheck={false}
            onFocus={(event) => event.currentTarget.select()}
          />
          <CopyButton variant="filled" label="Copy" text={text} />
          <Button onClick={onDone}>Done</Button>
        </div>
        {children}
      </Notice>
    </div>
  )
}
