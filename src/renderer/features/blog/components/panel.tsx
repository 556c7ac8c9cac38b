import { ActionIcon } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import type { ReactNode } from 'react'
import classes from './panel.module.css'

/** What stands beside the text for a while; the focus goes there when it opens, and Esc closes it. */
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
        <ActionIcon size="sm" aria-label="Close, Esc" onClick={onClose}>
          <IconX size={16} stroke={1.75} />
        </ActionIcon>
      </header>
      {children}
    </section>
  )
}
