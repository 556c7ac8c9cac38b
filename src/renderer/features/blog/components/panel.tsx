import { ActionIcon } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import type { ReactNode } from 'react'
import { texts } from '../blog.texts.ts'
import classes from './panel.module.css'

/** A panel next to the text. It takes the focus when it opens; Esc closes it. */
export function Panel({
  title,
  onClose,
  children,
}: {
  title: string
  onClose: () => void
  children: ReactNode
}) {
  const panel = useRef<HTMLElement>(null)
  useEffect(() => {
    const element = panel.current
    if (element === null) return
    const field = element.querySelector<HTMLElement>('[data-first]')
    const target = field ?? element
    target.focus({ preventScroll: true })
  }, [])
  return (
    <section ref={panel} className={classes['panel']} aria-label={title} tabIndex={-1}>
      <header className={classes['head']}>
        <h2>{title}</h2>
        <ActionIcon size="sm" aria-label={texts.panel.close} onClick={onClose}>
          <IconX size={16} stroke={1.75} />
        </ActionIcon>
      </header>
      {children}
    </section>
  )
}
