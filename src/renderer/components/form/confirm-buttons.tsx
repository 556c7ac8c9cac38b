import { Button } from '@mantine/core'
import { useFocus } from '../../lib/keys/use-focus.ts'

interface Props {
  size: 'xs' | 'sm'
  confirm: string
  sending?: boolean
  onConfirm: () => void
  onCancel: () => void
}

/** In place of the button of an action that can't be undone: confirms it, and takes the focus. */
export function ConfirmButtons({ size, confirm, sending = false, onConfirm, onCancel }: Props) {
  const focus = useFocus<HTMLButtonElement>()
  return (
    <>
      <Button size={size} variant="filled" color="red" ref={focus} loading={sending} onClick={onConfirm}>
        {confirm}
      </Button>
      <Button size={size} onClick={onCancel}>
        Cancel
      </Button>
    </>
  )
}
