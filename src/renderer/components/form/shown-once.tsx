import { Button } from '@mantine/core'
import { IconKey, IconLink } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { CopyButton } from './copy-button.tsx'
import classes from './shown-once.module.css'

interface Props {
  kind: 'token' | 'link'
  title: string
  text: string
  children?: ReactNode
  onDone: () => void
}

/** A secret that the server does not store. It is shown until the person presses Done. */
export function ShownOnce({ kind, title, text, children, onDone }: Props) {
  const Icon = kind === 'token' ? IconKey : IconLink
  return (
    <div className={classes['box']} role="status">
      <Icon size={16} stroke={1.75} aria-hidden />
      <div className={classes['body']}>
        <p className={classes['title']}>{title}</p>
        <div className={classes['line']}>
          <input
            readOnly
            value={text}
            aria-label={kind === 'token' ? 'Token' : 'Sign-in link'}
            spellCheck={false}
            onFocus={(event) => event.currentTarget.select()}
          />
          <CopyButton variant="filled" label="Copy" text={text} />
          <Button onClick={onDone}>Done</Button>
        </div>
        {children}
      </div>
    </div>
  )
}
