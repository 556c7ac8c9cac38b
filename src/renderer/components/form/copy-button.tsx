import { ActionIcon, Tooltip } from '@mantine/core'
import type { ButtonProps } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { ActionButton } from './action-button.tsx'
import { copyText } from '../../lib/app/clipboard.ts'
import { TextButton } from './text-button.tsx'

function useCopy(text: string): { state: 'idle' | 'copied' | 'refused'; copy: () => void } {
  const [state, setState] = useState<'idle' | 'copied' | 'refused'>('idle')
  useEffect(() => {
    if (state === 'idle') return undefined
    const timer = setTimeout(() => setState('idle'), 2000)
    return () => clearTimeout(timer)
  }, [state])
  return {
    state,
    copy: () => void copyText(text).then((done) => setState(done ? 'copied' : 'refused')),
  }
}

const labels = { copied: 'Copied', refused: 'Blocked by the browser' }

/** A small copy button; `what` completes "Copy …". */
export function CopyIcon({ text, what }: { text: string; what: string }) {
  const { state, copy } = useCopy(text)
  const label = state === 'idle' ? `Copy ${what}` : labels[state]
  const Icon = state === 'copied' ? IconCheck : IconCopy
  return (
    <Tooltip label={label}>
      <ActionIcon size="xs" aria-label={label} onClick={copy}>
        <Icon size={14} stroke={1.75} />
      </ActionIcon>
    </Tooltip>
  )
}

/** A copy button that looks like a link. */
export function CopyText({ text, label }: { text: string; label: string }) {
  const { state, copy } = useCopy(text)
  return <TextButton onClick={copy}>{state === 'idle' ? label : labels[state]}</TextButton>
}

export function CopyButton({ text, label, ...props }: { text: string; label: string } & ButtonProps) {
  const { state, copy } = useCopy(text)
  const Icon = state === 'copied' ? IconCheck : IconCopy
  return (
    <ActionButton {...props} icon={Icon} onClick={copy}>
      {state === 'idle' ? label : labels[state]}
    </ActionButton>
  )
}
