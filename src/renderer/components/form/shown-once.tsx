import { Button } from '@mantine/core'
import { IconKey, IconLink } from '@tabler/icons-react'
import type { ReactNode } from 'react'
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
  const Icon = kind === 'link' ? IconLink : IconKey
  return (
    <div className={classes['box']} role="status">
      <Icon size={16} stroke={1.75} aria-hidden />
      <div className={classes['body']}>
        <p className={classes['title']}>{title}</p>
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
      </div>
    </div>
  )
}
